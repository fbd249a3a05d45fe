// SPDX-License-Identifier: MIT
// What a program on the emulated devices wrote down, read without trust.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/device/hip/recording.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)rpl::emu::hip::read_recording({reinterpret_cast<const char*>(data), size});
  return 0;
}
