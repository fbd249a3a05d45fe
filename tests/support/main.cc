// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  // Programs are profiled on the emulated device, also on a machine with a GPU.
  setenv("RPL_TARGET", "emu", 0);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
