// SPDX-License-Identifier: MIT
#pragma once

#include "engine/isa/code/instruction.h"
#include "engine/isa/object/byte_view.h"

/// The fixed fields of gfx9 encodings; private to the decoder. Bit layouts: AMD "Instinct MI200" ISA document, chapter 13
/// "Microcode Formats"; "CDNA3" ISA document, chapter 13.
namespace rpl::isa::fields {

constexpr std::uint8_t small(std::uint32_t value) { return static_cast<std::uint8_t>(value); }

constexpr std::uint32_t kVgprBase = 256;  ///< of a source of nine bits: above are VGPRs

struct Layout {
  Encoding encoding;
  std::uint32_t code;
  std::uint8_t dwords;
};

/// Which encoding the first dword starts, or nothing.
std::optional<Layout> layout_of(std::uint32_t word);

void set_register(Operand& operand, Operand::Kind kind, std::uint32_t number);

/// Reads what an encoding holds beside its operands into `out`, whose opcode is set.
class Reader {
 public:
  Reader(Arch arch, std::uint32_t low, std::uint32_t high, Instruction& out)
      : arch_(arch), low_(low), high_(high), out_(out) {}

  void read_fields();
  /// Finds the register or constant of an operand by its letter.
  void place(Operand& operand) const;
  [[nodiscard]] bool has_operand(char letter) const;

 private:
  void read_smem();
  void read_vop3();
  void read_vop3p();
  void read_ds();
  void read_flat();
  void read_buffer();
  [[nodiscard]] bool has_flag(char flag) const;
  void place_scalar(Operand& operand) const;
  void place_short(Operand& operand) const;
  [[nodiscard]] std::uint32_t long_source(char letter) const;
  void place_vop3(Operand& operand) const;
  void place_vop3p(Operand& operand) const;
  void place_ds(Operand& operand) const;
  void place_flat(Operand& operand) const;
  void place_buffer(Operand& operand) const;

  Arch arch_;
  std::uint32_t low_, high_;
  Instruction& out_;
};

}  // namespace rpl::isa::fields
