// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// What llvm-mc 19 says of machine code: the oracle for the decoder and the disassembler.
namespace rpl::isa::llvm {

/// The words that a decoder is shown, of which the instruction takes the first few.
using Words = std::array<std::uint32_t, 4>;

struct Text {
  std::string text;  ///< "v_add_f32_e32 v0, s2, v1"
  std::uint8_t bytes = 0;
};

/// Whether the program is there; tests skip with a reason without it.
bool is_installed(const std::string& arch);

/// The first instruction of each probe, nothing where it is none.
std::vector<std::optional<Text>> disassemble(const std::string& arch,
                                             std::span<const Words> probes);

/// The bytes each text assembles to, nothing where it does not.
std::vector<std::optional<std::vector<std::uint8_t>>> assemble(const std::string& arch,
                                                               std::span<const std::string> texts);

}  // namespace rpl::isa::llvm
