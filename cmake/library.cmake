# The library: everything under src/. A new file in a family's folder is found by itself.
file(GLOB_RECURSE LOGODDS_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)
if(LOGODDS_UNSANITIZED)
  logodds_keep_sanitized_part(LOGODDS_SOURCES)
  add_library(logodds OBJECT ${LOGODDS_SOURCES})
  # After the objects: the linker takes from it what they lack.
  target_link_libraries(logodds PRIVATE ${LOGODDS_UNSANITIZED}/liblogodds.a)
  if(NOT LOGODDS_SANITIZE STREQUAL "thread")  # which has not all kernels
    target_compile_definitions(logodds PRIVATE LOGODDS_FEW_TARGETS)
  endif()
else()
  add_library(logodds STATIC ${LOGODDS_SOURCES})
endif()
add_library(logodds::logodds ALIAS logodds)
target_compile_features(logodds PUBLIC cxx_std_20)
target_include_directories(logodds
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
  PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(logodds SYSTEM PRIVATE ${FAST_FLOAT_INCLUDE} ${XXHASH_INCLUDE}
                           ${BOOST_MATH_INCLUDE})
target_link_libraries(logodds
  PRIVATE $<BUILD_INTERFACE:logodds_flags> $<BUILD_INTERFACE:Eigen3::Eigen>
          $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> ZLIB::ZLIB PkgConfig::HWY
          PkgConfig::ZSTD PkgConfig::CAIRO PNG::PNG Threads::Threads)
target_compile_definitions(logodds PRIVATE EIGEN_MPL2_ONLY)
logodds_precompile_headers(logodds)
# A multiplication and an addition are fused only where a kernel says so: same bits on every machine.
target_compile_options(logodds PRIVATE -ffp-contract=off)
