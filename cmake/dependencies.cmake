# Every library that rpl links, found or named with the package that brings it. docs/dependencies.md says why each.
include(CheckCXXSourceCompiles)
set(RPL_MISSING "")

# rpl_dependency(TARGET apt-package header library...): an imported interface target, or a note of what to install. Targets with
# the property RPL_SELF_CONTAINED link the archives of the libraries, where there are any.
function(rpl_dependency target package header)
  find_path(${target}_INCLUDE ${header} PATH_SUFFIXES lua5.4)
  set(found ${${target}_INCLUDE})
  add_library(rpl_ext_${target} INTERFACE IMPORTED GLOBAL)
  if(found AND NOT found STREQUAL "/usr/include")
    set_target_properties(rpl_ext_${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${found})
  endif()
  foreach(library ${ARGN})
    find_library(${target}_${library}_LIBRARY ${library})
    if(NOT ${target}_${library}_LIBRARY)
      set(found "")
    else()
      rpl_link_either(${target} ${${target}_${library}_LIBRARY} lib${library}.a)
    endif()
  endforeach()
  if(NOT found)
    set(RPL_MISSING ${RPL_MISSING} ${package} PARENT_SCOPE)
  endif()
endfunction()

# rpl_link_either(TARGET shared archive): the one or, for who asks for it, the other.
function(rpl_link_either target shared archive)
  if(NOT ${target}_${archive}_ARCHIVE)
    find_library(${target}_${archive}_ARCHIVE ${archive})
  endif()
  set(inside ${shared})
  if(${target}_${archive}_ARCHIVE)
    set(inside ${${target}_${archive}_ARCHIVE})
  endif()
  target_link_libraries(rpl_ext_${target} INTERFACE $<IF:$<BOOL:$<TARGET_PROPERTY:RPL_SELF_CONTAINED>>,${inside},${shared}>)
endfunction()

# The C++ build of Lua exports C names in Debian 12 and C++ names from 13 on, while its lua.hpp says extern "C" in both:
# where that does not link, a lua.hpp that leaves the names to lua.h comes first.
function(rpl_lua_names)
  if(NOT lua_INCLUDE OR NOT lua_lua5.4-c++_LIBRARY)
    return()
  endif()
  set(CMAKE_REQUIRED_INCLUDES ${lua_INCLUDE})
  set(CMAKE_REQUIRED_LIBRARIES ${lua_lua5.4-c++_LIBRARY})
  check_cxx_source_compiles("#include <lua.hpp>
    int main() { lua_close(nullptr); }" RPL_LUA_HAS_C_NAMES)
  if(NOT RPL_LUA_HAS_C_NAMES)
    set(folder ${CMAKE_BINARY_DIR}/lua)
    file(CONFIGURE OUTPUT ${folder}/lua.hpp @ONLY CONTENT "#include <lua.h>\n#include <lualib.h>\n#include <lauxlib.h>\n")
    set_target_properties(rpl_ext_lua PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${folder};${lua_INCLUDE}")
  endif()
endfunction()

include(self_contained)
rpl_dependency(fmt libfmt-dev fmt/format.h fmt)
rpl_dependency(sqlite libsqlite3-dev sqlite3.h sqlite3)
rpl_dependency(json nlohmann-json3-dev nlohmann/json.hpp)
rpl_dependency(re2 libre2-dev re2/re2.h re2)
rpl_dependency(simdjson libsimdjson-dev simdjson.h simdjson)
rpl_dependency(zlib zlib1g-dev zlib.h z)
rpl_dependency(zstd libzstd-dev zstd.h zstd)
# Its headers; the library is opened when a model is asked.
rpl_dependency(curl libcurl4-openssl-dev curl/curl.h)
# Its header; the library is opened when pages are served.
rpl_dependency(microhttpd libmicrohttpd-dev microhttpd.h)
rpl_dependency(readline libreadline-dev readline/readline.h readline)
# With wide characters. readline brings its half of terminals already.
rpl_dependency(ncurses libncurses-dev curses.h ncursesw)
# Lua is built as C++ so that its errors run destructors; the C build would leak and corrupt state.
rpl_dependency(lua liblua5.4-dev lua.hpp lua5.4-c++)
rpl_lua_names()
if(RPL_TESTS)
  rpl_dependency(gtest libgtest-dev gtest/gtest.h gtest)
  rpl_dependency(gmock libgmock-dev gmock/gmock.h gmock)
endif()
find_package(Threads)
# An archive of readline does not say that it needs the other half of ncurses.
find_library(RPL_TINFO_ARCHIVE libtinfo.a)
if(RPL_TINFO_ARCHIVE)
  target_link_libraries(rpl_ext_readline INTERFACE $<$<BOOL:$<TARGET_PROPERTY:RPL_SELF_CONTAINED>>:${RPL_TINFO_ARCHIVE}>)
  target_link_libraries(rpl_ext_ncurses INTERFACE $<$<BOOL:$<TARGET_PROPERTY:RPL_SELF_CONTAINED>>:${RPL_TINFO_ARCHIVE}>)
endif()

if(RPL_MISSING)
  list(JOIN RPL_MISSING " " packages)
  message(FATAL_ERROR "missing packages; install them with\n  apt-get install ${packages}\nor run scripts/setup")
endif()
