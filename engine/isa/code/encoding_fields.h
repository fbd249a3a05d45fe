// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "engine/isa/code/instruction.h"
#include "engine/isa/object/byte_view.h"

/// The fixed fields of gfx9 encodings; private to the decoder. Bit layouts: AMD "Instinct MI200" ISA document, chapter 13
/// "Microcode Formats"; "CDNA3" and "CDNA4" ISA documents, chapter 13.
namespace rpl::isa::fields {

constexpr std::uint8_t small(std::uint32_t value) { return static_cast<std::uint8_t>(value); }

constexpr std::uint32_t kVgprBase = 256;  ///< of a source of nine bits: above are VGPRs

struct Layout {
  Encoding encoding;
  std::uint32_t code;
  std::uint8_t dwords;
};

/// Which encoding the first dword starts, or nothing. vop3px begins as a vop3p does: is_scaled() tells.
std::optional<Layout> layout_of(std::uint32_t word);
/// Whether these dwords load scales for a matrix instruction behind them that asks for scales, which are then one instruction.
bool is_scaled(const Layout& layout, std::span<const std::uint32_t> words);

void set_register(Operand& operand, Operand::Kind kind, std::uint32_t number);

/// Reads what an encoding holds beside its operands into `out`, whose opcode is set.
class Reader {
 public:
  /// `scales` are the two dwords before those of a vop3px instruction, else empty.
  Reader(Arch arch, std::uint32_t low, std::uint32_t high, std::span<const std::uint32_t> scales,
         Instruction& out)
      : arch_(arch), low_(low), high_(high), scales_(scales), out_(out) {}

  void read_fields();
  /// Finds the register or constant of an operand by its letter.
  void place(Operand& operand) const;
  [[nodiscard]] bool has_operand(char letter) const;
  /// Whether the fields have values that the instruction knows.
  [[nodiscard]] bool is_valid() const;

 private:
  void read_smem();
  void read_vop3();
  void read_vop3p();
  void read_ds();
  void read_flat();
  void read_buffer();
  [[nodiscard]] bool has_flag(char flag) const;
  [[nodiscard]] std::uint8_t matrix_dwords(const Operand& operand) const;
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
  std::span<const std::uint32_t> scales_;
  Instruction& out_;
};

}  // namespace rpl::isa::fields
