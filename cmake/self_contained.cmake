# What is linked into programs and libraries that must not depend on this machine's libraries: libraries that are loaded into somebody's process, always, since
# that process may hold other versions; and rpl_portable, the program of an archive that runs elsewhere (scripts/release).
include(CheckCXXCompilerFlag)

# Debian has no archive of fmt: its header-only form, kept whole, is one.
check_cxx_compiler_flag(-fkeep-inline-functions RPL_KEEPS_INLINE_FUNCTIONS)
if(RPL_KEEPS_INLINE_FUNCTIONS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/fmt_inside.cc @ONLY CONTENT "#define FMT_HEADER_ONLY
#include <fmt/format.h>
template std::locale fmt::detail::locale_ref::get<std::locale>() const;
")
  add_library(rpl_fmt_inside STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/fmt_inside.cc)
  target_compile_options(rpl_fmt_inside PRIVATE -fPIC -O2 -fkeep-inline-functions -ffunction-sections -fdata-sections)
  set(fmt_libfmt.a_ARCHIVE rpl_fmt_inside)
endif()

# Nor one of simdjson: its one source, of the distribution's source package (scripts/release gets it).
set(RPL_SIMDJSON_SOURCE "" CACHE FILEPATH "simdjson.cpp, to be linked into rpl_portable")
if(RPL_SIMDJSON_SOURCE)
  add_library(rpl_simdjson_inside STATIC EXCLUDE_FROM_ALL ${RPL_SIMDJSON_SOURCE})
  target_compile_options(rpl_simdjson_inside PRIVATE -fPIC -O2 -w)
  set(simdjson_libsimdjson.a_ARCHIVE rpl_simdjson_inside)
endif()

# rpl_self_contained(TARGET): of what it links, only the C library's parts stay outside, and libgcc_s, which every C library of GNU comes with: inside it would ask
# for glibc 2.35, and exceptions of one process are best unwound by one.
function(rpl_self_contained target)
  set_target_properties(${target} PROPERTIES RPL_SELF_CONTAINED ON)
  target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--gc-sections)
endfunction()
