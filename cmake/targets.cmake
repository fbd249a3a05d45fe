# Joins the sources of one target in groups. Files that define the same names in their unnamed namespaces on purpose stay
# alone: SKIP_UNITY_BUILD_INCLUSION in their folder's CMakeLists.txt.
# Libraries in groups of 32: headers and templates that all of them use are read and made half as often as in groups of 16. Programs, of which the
# tests are most, in groups of 16, so that two processors share one program's work.
function(rpl_unity target)
  get_target_property(type ${target} TYPE)
  set(size 32)
  if(type STREQUAL "EXECUTABLE")
    set(size 16)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RPL_UNITY} UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# Instrumented code of what is not hot takes less than half the time to compile like this, and lines in reports stay right.
function(rpl_instrumented_quickly target)
  if(RPL_SANITIZE OR RPL_FUZZ)
    target_compile_options(${target} PRIVATE -O1 -g1)
  endif()
endfunction()

include(cold_flags)

# Sources of a library's folder that are compiled in another way than the rest: they see what the library sees and become part of it.
function(rpl_part library part)
  add_library(${part} OBJECT ${ARGN})
  rpl_unity(${part})
  get_target_property(links ${library} LINK_LIBRARIES)
  target_link_libraries(${part} PRIVATE ${links})
  target_sources(${library} PRIVATE $<TARGET_OBJECTS:${part}>)
endfunction()

# rpl_library([HOT [source...]] [LEVEL -O3] [LANES source...] [SOURCES made...] [EXCEPT source...] [PRECOMPILED target] DEPENDS folder... EXTERNAL
# fmt sqlite...): the static library of one folder, of all sources in it. engine/trace/core is rpl_trace_core. DEPENDS is the whole
# list of folders that it may include, below engine/ or shell/ (tests/architecture checks it).
# HOT sources (without names: all of them) scan, sum or execute millions of things, at -O2 or LEVEL; the others are compiled with
# -O1, a quarter faster. LANES are loops over the 64 lanes of a wave.
function(rpl_library)
  cmake_parse_arguments(ARG "" "PRECOMPILED;LEVEL" "HOT;LANES;SOURCES;EXCEPT;DEPENDS;EXTERNAL" ${ARGN})
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE folder)
  string(REGEX REPLACE "^(engine|shell)/" "" name ${folder})
  string(REPLACE "/" "_" name ${name})
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cc)
  list(REMOVE_ITEM sources "" ${ARG_LANES} ${ARG_EXCEPT})
  set(hot ${ARG_HOT})
  if("HOT" IN_LIST ARGN AND NOT ARG_HOT)
    set(hot ${sources})
  endif()
  set(cold ${sources})
  list(REMOVE_ITEM cold ${hot} "")
  set(main ${hot})
  if(NOT hot)
    set(main ${cold})
    set(cold "")
  endif()

  add_library(rpl_${name} STATIC ${main} ${ARG_SOURCES})
  rpl_unity(rpl_${name})
  target_link_libraries(rpl_${name} PUBLIC rpl_flags rpl_ext_fmt)
  set(depends "")
  foreach(dependency ${ARG_DEPENDS})
    string(REPLACE "/" "_" dependency ${dependency})
    list(APPEND depends ${dependency})
    target_link_libraries(rpl_${name} PUBLIC rpl_${dependency})
  endforeach()
  foreach(external ${ARG_EXTERNAL})
    if(TARGET rpl_ext_${external})
      target_link_libraries(rpl_${name} PUBLIC rpl_ext_${external})
    else()
      target_link_libraries(rpl_${name} PUBLIC ${external})
    endif()
  endforeach()
  if(ARG_PRECOMPILED)
    # With headers read already, smaller groups cost the whole build little, and a command that was touched is soon built again.
    set_target_properties(rpl_${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 11)
    target_precompile_headers(rpl_${name} REUSE_FROM ${ARG_PRECOMPILED})
  else()
    rpl_precompiled(rpl_${name})
  endif()
  if(NOT hot OR RPL_FUZZ)
    rpl_instrumented_quickly(rpl_${name})
  endif()
  if(NOT hot)
    rpl_cold(rpl_${name})
  elseif(ARG_LEVEL AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(rpl_${name} PRIVATE ${ARG_LEVEL})
  endif()
  if(cold)
    rpl_part(rpl_${name} rpl_${name}_cold ${cold})
    rpl_precompiled(rpl_${name}_cold)
    rpl_instrumented_quickly(rpl_${name}_cold)
    rpl_cold(rpl_${name}_cold)
  endif()
  if(ARG_LANES)
    # They want the vectorizer, and products must not be fused unless the instruction says so. The shared precompiled header was
    # made with other flags; joined, the light files parse headers once.
    rpl_part(rpl_${name} rpl_${name}_lanes ${ARG_LANES})
    target_compile_options(rpl_${name}_lanes PRIVATE -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math)
    set_target_properties(rpl_${name}_lanes PROPERTIES UNITY_BUILD_BATCH_SIZE 9)
  endif()
  list(JOIN depends " " depends)
  set_property(GLOBAL APPEND_STRING PROPERTY RPL_FOLDERS "${name} ${folder} ${depends}\n")
endfunction()

# One precompiled header serves every target with the same flags.
function(rpl_precompiled target)
  if(TARGET rpl_pch)
    target_precompile_headers(${target} REUSE_FROM rpl_pch)
  endif()
endfunction()

if(NOT EXISTS ${CMAKE_BINARY_DIR}/pch.cc)
  file(WRITE ${CMAKE_BINARY_DIR}/pch.cc "")
endif()
add_library(rpl_pch OBJECT ${CMAKE_BINARY_DIR}/pch.cc)
target_link_libraries(rpl_pch PUBLIC rpl_flags rpl_ext_fmt)
target_precompile_headers(rpl_pch PRIVATE ${CMAKE_SOURCE_DIR}/engine/base/pch.h)

add_library(rpl_shell_pch OBJECT ${CMAKE_BINARY_DIR}/pch.cc)
target_link_libraries(rpl_shell_pch PUBLIC rpl_flags rpl_ext_fmt)
target_precompile_headers(rpl_shell_pch PRIVATE ${CMAKE_SOURCE_DIR}/shell/pch.h)
# It holds headers of this tree, which g++ knows again by their times: one out of the cache may have been made when they had others, and then defines
# everything twice.
set_target_properties(rpl_shell_pch PROPERTIES CXX_COMPILER_LAUNCHER "")

if(RPL_TESTS)
  add_library(rpl_test_pch OBJECT ${CMAKE_BINARY_DIR}/pch.cc)
  target_link_libraries(rpl_test_pch PUBLIC rpl_flags rpl_ext_fmt)
  target_precompile_headers(rpl_test_pch PRIVATE ${CMAKE_SOURCE_DIR}/engine/base/pch.h <gmock/gmock.h>
                                                 <gtest/gtest.h>)
endif()

# rpl_test(NAME SOURCES ... LIBRARIES ...): a GoogleTest program, one ctest entry per program.
function(rpl_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  rpl_unity(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} rpl_test_support rpl_ext_gmock rpl_ext_gtest
                                        Threads::Threads)
  target_precompile_headers(${name} REUSE_FROM rpl_test_pch)
  rpl_instrumented_quickly(${name})
  rpl_cold(${name})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 ENVIRONMENT "XDG_CACHE_HOME=${RPL_TEST_CACHE}")
endfunction()

# Keeps cases of a test, as --gtest_filter names them (A.*:B.c), for `scripts/test --long`.
function(rpl_long_cases name cases)
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "GTEST_FILTER=-${cases}")
  add_test(NAME ${name}_long COMMAND ${name} --gtest_filter=${cases})
  set_tests_properties(${name}_long PROPERTIES LABELS long TIMEOUT 1800 ENVIRONMENT "XDG_CACHE_HOME=${RPL_TEST_CACHE}")
endfunction()
