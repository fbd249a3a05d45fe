// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "tests/engine/isa/llvm_oracle.h"

/// Machine code to show to two decoders.
namespace rpl::isa {

/// Where the fixed bits of an encoding and its opcode lie in the first word (ISA documents, "Microcode Formats").
struct Shape {
  const char* name;
  std::uint32_t fixed;
  unsigned fixed_bits;  ///< from the top
  unsigned opcode_at, opcodes;
  /// Fills the bits beside those two with operands and modifiers that mean something.
  void (*fill)(std::mt19937& random, llvm::Words& words);
};

std::span<const Shape> shapes();

/// All opcodes of an encoding, each `rounds` times with random bits everywhere else.
std::vector<llvm::Words> random_probes(const Shape& shape, unsigned rounds, std::mt19937& random);

/// The same with operands that mean something.
std::vector<llvm::Words> sensible_probes(const Shape& shape, unsigned rounds, std::mt19937& random);

}  // namespace rpl::isa
