// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  // Programs are profiled on the emulated device, also on a machine with a GPU.
  setenv("RPL_TARGET", "emu", 0);
  // A test lies deep in the build folder, and not where the program's companions are.
  setenv("RPL_EMULATED_HIP", RPL_BUILT "/emulated-hip", 0);
  setenv("RPL_CAPTURE_TOOL", RPL_BUILT "/capture-tool", 0);
  setenv("RPL_SCRIPTS_DIR", RPL_BUILT "/scripts", 0);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
