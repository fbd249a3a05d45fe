// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/isa/code/instruction.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint32_t> words(size / sizeof(std::uint32_t));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(std::uint32_t));
  for (std::size_t at = 0; at < words.size(); ++at) {
    for (const auto arch : rpl::isa::architectures()) {
      const auto instruction = rpl::isa::decode(arch, std::span(words).subspan(at));
      if (instruction) (void)rpl::isa::disassemble(arch, *instruction);
    }
  }
  return 0;
}
