# Cross compiling on Debian for Arm servers and laptops: g++-aarch64-linux-gnu, the libraries of architecture arm64, and qemu-user-static, which
# runs what was built. scripts/try-on-aarch64 installs them in a root of its own.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
