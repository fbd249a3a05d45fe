# Warnings, sanitizers and the compiler cache.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header defeats the cache unless it may ignore the header's own time stamps.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

add_library(rpl_flags INTERFACE)
target_include_directories(rpl_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(rpl_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
# One spelling for libraries and programs, so that one precompiled header serves both.
target_compile_options(rpl_flags INTERFACE -fPIC)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports the first two inside its own std::string for code that is right (GCC bug 105329), and the third for every
  # value that a Result holds or does not hold: it does not follow the pointer that says which.
  target_compile_options(rpl_flags INTERFACE -Wno-stringop-overflow -Wno-restrict -Wno-maybe-uninitialized)
  target_compile_options(rpl_flags INTERFACE -fpch-preprocess)
  # The compiler collects its own garbage once it holds 2 GB, not every few MB: a tenth of the time of a whole build.
  target_compile_options(rpl_flags INTERFACE "SHELL:--param ggc-min-expand=1000" "SHELL:--param ggc-min-heapsize=2000000")
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # The same for clang: a precompiled header that holds no time stamp can come from the cache.
  # std::stable_sort of libstdc++ 12 trips clang over a function that C++17 deprecated.
  # Loops over lanes that are asked to be vectorized are not at the levels that tests are built at.
  target_compile_options(rpl_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp" -Wno-deprecated-declarations -Wno-pass-failed)
endif()
if(RPL_SANITIZE)
  target_compile_options(rpl_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer
                                             -fno-sanitize-recover=undefined)
  target_link_options(rpl_flags INTERFACE -fsanitize=address,undefined)
endif()
if(RPL_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "RPL_FUZZ needs clang; use 'cmake --preset fuzz'")
  endif()
  target_compile_options(rpl_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer
                                             -fno-sanitize-recover=undefined)
  target_link_options(rpl_flags INTERFACE -fsanitize=address,undefined)
endif()
