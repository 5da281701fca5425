# cmake --install: headers, library, command, and a package for find_package(logodds).
if(SKBUILD OR LOGODDS_UNSANITIZED)
  return()  # a Python wheel carries its extension module only, and half a library nobody installs
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS logodds EXPORT logodds_targets)
install(DIRECTORY include/logodds TYPE INCLUDE)
if(LOGODDS_BUILD_COMMAND)
  install(TARGETS logodds_command)
endif()
set(LOGODDS_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/logodds)
install(EXPORT logodds_targets NAMESPACE logodds:: DESTINATION ${LOGODDS_PACKAGE_DIR})
configure_package_config_file(cmake/logoddsConfig.cmake.in
  ${PROJECT_BINARY_DIR}/logoddsConfig.cmake INSTALL_DESTINATION ${LOGODDS_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/logoddsConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/logoddsConfig.cmake
              ${PROJECT_BINARY_DIR}/logoddsConfigVersion.cmake
        DESTINATION ${LOGODDS_PACKAGE_DIR})
