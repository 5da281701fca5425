# ccache, where it is installed: a clone in another folder finds what was compiled before, because
# paths are taken relative to the source folder.
find_program(LOGODDS_CCACHE ccache)
if(LOGODDS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 ${LOGODDS_CCACHE})
endif()
