# What `cmake --install` puts where, and the Debian package of it. rpl finds its files from where it lies (engine/process/emulated_hip.h), so that the tree may be
# moved.
if(RPL_SANITIZE OR RPL_FUZZ)
  return()
endif()
# Installing and packing take what was built; they build no tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

install(TARGETS rpl DESTINATION bin)
install(FILES ${CMAKE_BINARY_DIR}/rocm-perf ${CMAKE_BINARY_DIR}/rocm-perf-lab DESTINATION bin)

# The tool that captures dispatches on a GPU; the library and headers of the emulated devices.
install(TARGETS rpl_capture_library DESTINATION lib/rpl/capture-tool)
install(TARGETS rpl_amdhip64 DESTINATION lib/rpl/emulated-hip)
foreach(version 5 6 7)
  install(FILES ${CMAKE_BINARY_DIR}/emulated-hip/libamdhip64.so.${version} ${CMAKE_BINARY_DIR}/emulated-hip/libhiprtc.so.${version}
          DESTINATION lib/rpl/emulated-hip)
endforeach()
install(DIRECTORY engine/device/hip/include/ DESTINATION lib/rpl/emulated-hip/include)

install(DIRECTORY scripts/ DESTINATION share/rpl/scripts FILES_MATCHING PATTERN "*.lua")
install(DIRECTORY examples DESTINATION share/rpl)
# As they lie in the tree, so that their links hold.
install(DIRECTORY docs DESTINATION share/doc/rocm-perf-lab)
# Where agents look for them.
install(DIRECTORY docs/agents/ DESTINATION share/doc/rocm-perf-lab/references)
install(FILES README.md docs/agents/SKILL.md DESTINATION share/doc/rocm-perf-lab)
install(FILES LICENSE DESTINATION share/doc/rocm-perf-lab RENAME copyright)

# What rpl says of itself: the manual page, completion of three shells, annotations of its Lua.
set(faces ${CMAKE_BINARY_DIR}/faces)
file(MAKE_DIRECTORY ${faces})
add_custom_command(OUTPUT ${faces}/made DEPENDS rpl cmake/emit-faces.sh WORKING_DIRECTORY ${faces}
                   COMMAND ${CMAKE_SOURCE_DIR}/cmake/emit-faces.sh ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:rpl> VERBATIM)
add_custom_target(rpl_faces ALL DEPENDS ${faces}/made)
install(DIRECTORY ${faces}/man/ DESTINATION share/man/man1)
install(DIRECTORY ${faces}/bash/ DESTINATION share/bash-completion/completions)
install(DIRECTORY ${faces}/zsh/ DESTINATION share/zsh/site-functions)
install(DIRECTORY ${faces}/fish/ DESTINATION share/fish/vendor_completions.d)
install(DIRECTORY ${faces}/lua-stubs DESTINATION share/rpl)

# cpack, in the build folder: a .deb for this machine's release. What it links is found by dpkg-shlibdeps; what it runs is recommended.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rocm-perf-lab)
set(CPACK_PACKAGE_CONTACT "rocm-perf-lab maintainers <maintainers@rocm-perf-lab.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shell for AMD GPU performance work")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Opens recordings of what an application did on the GPU, finds out what limits it, proposes a change to a kernel,
proves that it is right and faster, and replays captured kernels. Without an AMD GPU, an emulated device runs the
same programs.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened when it is wanted, so that the tool for the others does not see it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libcurl4")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libmicrohttpd12t64 | libmicrohttpd12, clang-19, clang-tools-19, lld-19, llvm-19, rocm-device-libs | rocm-device-libs-17, less")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libamdhip64-dev, bash-completion, slurm-client")
include(CPack)
