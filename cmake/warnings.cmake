# Flags that every target of the project is compiled with.
add_library(logodds_flags INTERFACE)
target_compile_options(logodds_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor
  -Wold-style-cast -Wcast-align -Woverloaded-virtual -Wdouble-promotion -Wimplicit-fallthrough
  -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # false alarms inside std::string, as on "literal" + std::string (GCC bug 105651); precompiled
  # headers no longer count as the system's, so that more of them come to light
  target_compile_options(logodds_flags INTERFACE
    -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # libstdc++ 12 calls functions that it has deprecated itself (stable_sort, get_temporary_buffer)
  target_compile_options(logodds_flags INTERFACE -Wno-deprecated-declarations)
endif()
if(LOGODDS_SANITIZE)
  target_compile_options(logodds_flags INTERFACE
    -fsanitize=${LOGODDS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(logodds_flags INTERFACE -fsanitize=${LOGODDS_SANITIZE})
endif()
