// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/isa/code/instruction.h"

namespace rpl::isa {

/// An instruction and where it lies, relative to the load base.
struct Located {
  std::uint64_t address = 0;
  Instruction instruction;
};

/// Where a branch with a constant distance goes, relative to the load base: the distance counts dwords from the instruction after
/// it (ISA documents, "SOPP"). Nothing for every other instruction.
std::optional<std::uint64_t> branch_target(std::uint64_t address, const Instruction& instruction);

/// Decodes a kernel's function from its entry to the end of its symbol. Fails with unsupported for the first word that is
/// no known instruction, and names its address and encoding.
Result<std::vector<Located>> decode_kernel(const CodeObject& object, const Kernel& kernel);

/// The same without what stands behind the last s_endpgm.
Result<std::vector<Located>> decode_body(const CodeObject& object, const Kernel& kernel);

/// decode_kernel as text, one instruction a line, as llvm-objdump -d writes it without addresses.
Result<std::string> disassemble_kernel(const CodeObject& object, const Kernel& kernel);

/// What kind of unit an instruction keeps busy; the classes that counts and static facts use.
enum class Class : std::uint8_t {
  valu,
  transcendental,
  matrix,
  salu,
  smem,
  vmem,
  lds,
  branch,
  wait,
  barrier,
  other
};
inline constexpr int kClasses = 11;

std::string_view to_string(Class kind);
Class class_of(const Opcode& opcode);

/// Facts of a kernel that need no run. Padding behind the last s_endpgm is not counted.
struct StaticFacts {
  std::uint64_t instructions = 0;
  std::uint64_t code_bytes = 0;
  std::array<std::uint64_t, kClasses> by_class{};
  std::uint64_t atomics = 0;
  std::uint64_t scratch_accesses = 0;
  std::string code_hash;  ///< SHA-256 of the counted bytes: equal for identical machine code
};

Result<StaticFacts> static_facts(const CodeObject& object, const Kernel& kernel);

}  // namespace rpl::isa
