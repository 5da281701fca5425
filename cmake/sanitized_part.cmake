# A quick build under a sanitizer (LOGODDS_UNSANITIZED names the folder of a build without): only the
# sources in which the sanitizer has most to find are compiled again, and everything else is linked
# from there. CONTRIBUTING.md gives the reasons for the choice.
#
# Both compilers share one ABI, and no container of libstdc++ is annotated, so objects with and
# without the address sanitizer mix, but for a check of sizes (tools/run_tests: TWO_COMPILERS). The thread sanitizer does not see what an object without it
# synchronizes, so every source is taken that has to do with threads, by itself or by a header.

# What reads files of other people; what keeps memory, or works on bare pointers.
# cairo.cpp tells the sanitizer what fontconfig keeps until the end.
set(LOGODDS_ADDRESS_PART
    "src/(data|text|modelfile|memory|parallel|search|stats|kernels)/|src/draw/cairo[.]cpp")
set(LOGODDS_THREAD_WORDS "parallel/|<atomic>|<mutex>|<thread>|std::atomic")

# Those files of a list in which a line matches.
function(logodds_files_with pattern result)
  foreach(file IN LISTS ARGN)
    file(STRINGS ${file} found LIMIT_COUNT 1 REGEX "${pattern}")
    if(found)
      list(APPEND files ${file})
    endif()
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

function(logodds_thread_sources result)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS include/*.hpp src/*.hpp)
  logodds_files_with("${LOGODDS_THREAD_WORDS}" headers ${headers})
  list(TRANSFORM headers REPLACE "^${PROJECT_SOURCE_DIR}/(include|src)/" "")
  list(JOIN headers "|" names)
  logodds_files_with("${LOGODDS_THREAD_WORDS}|${names}" files ${ARGN})
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# Takes those sources off the list that are linked from LOGODDS_UNSANITIZED.
function(logodds_keep_sanitized_part list)
  if(LOGODDS_SANITIZE STREQUAL "thread")
    logodds_thread_sources(kept ${${list}})
  else()
    set(kept ${${list}})
    list(FILTER kept INCLUDE REGEX "${LOGODDS_ADDRESS_PART}")
  endif()
  set(${list} ${kept} PARENT_SCOPE)
endfunction()

# In a quick build: the objects that the other build has compiled of these sources for `target`, which
# is in the same folder there.
function(logodds_take_unsanitized target list)
  if(NOT LOGODDS_UNSANITIZED)
    return()
  endif()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(source IN LISTS ${list})
    file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    list(APPEND objects ${LOGODDS_UNSANITIZED}/${folder}/CMakeFiles/${target}.dir/${name}.o)
  endforeach()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set(${list} ${objects} PARENT_SCOPE)
endfunction()
