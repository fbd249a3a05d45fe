// SPDX-License-Identifier: MIT
#include <algorithm>

#include "engine/isa/code/encoding_fields.h"

namespace rpl::isa {
namespace {

using fields::set_register;
using fields::small;

constexpr std::uint32_t kSdwaSource = 249, kDppSource = 250;

class Decoder {
 public:
  Decoder(Arch arch, std::span<const std::uint32_t> words, bool scaled)
      : arch_(arch),
        words_(words),
        scaled_(scaled),
        low_(words[scaled ? kScales : 0]),
        high_(words.size() > 1 ? words[scaled ? kScales + 1 : 1] : 0),
        reader_(arch, low_, high_, words.first(scaled ? kScales : 0), out_) {}

  std::optional<Instruction> decode() {
    auto layout = fields::layout_of(low_);
    if (!layout || words_.size() < layout->dwords) return std::nullopt;
    if (scaled_) layout = {Encoding::vop3px, layout->code, small(kScales + layout->dwords)};
    out_.opcode = find_opcode(arch_, layout->encoding, layout->code);
    if (out_.opcode == nullptr) return std::nullopt;
    out_.bytes = small(layout->dwords * 4U);
    reader_.read_fields();
    if (!reader_.is_valid()) return std::nullopt;
    make_operands();
    if (!read_extension()) return std::nullopt;
    std::copy_n(words_.begin(), out_.bytes / 4, out_.words.begin());
    return out_;
  }

  static constexpr std::size_t kScales = 2;  ///< dwords

 private:
  void make_operands() {
    const std::string_view pattern = out_.opcode->operands;
    for (std::size_t at = 0; at < pattern.size();) {
      Operand operand;
      operand.letter = pattern[at++];
      while (at < pattern.size() && pattern[at] != ' ') {
        operand.dwords = small(operand.dwords * 10U + static_cast<unsigned>(pattern[at++] - '0'));
      }
      while (at < pattern.size() && pattern[at] == ' ') ++at;
      reader_.place(operand);
      const bool unreturned = operand.letter == 'D' && out_.opcode->flags == "atomic" && !out_.glc;
      if (!unreturned && !(out_.lds && is_loaded_data(operand)))
        out_.operands[out_.operand_count++] = operand;
    }
  }

  /// What a load into LDS has no register for.
  [[nodiscard]] bool is_loaded_data(const Operand& operand) const {
    if (out_.opcode->encoding == Encoding::mubuf) return operand.letter == 'X';
    return operand.letter == 'D' && !traits(arch_).has_scratch_address_bit;
  }

  // What follows the first dword of a short encoding: SDWA, DPP or a literal.
  bool read_extension() {
    const Encoding encoding = out_.opcode->encoding;
    const bool is_short =
        encoding == Encoding::vop1 || encoding == Encoding::vop2 || encoding == Encoding::vopc;
    const std::uint32_t source = bits(low_, 0, 9);
    if (is_short && reader_.has_operand('A') && source == kSdwaSource)
      return extend(&Decoder::read_sdwa);
    if (is_short && reader_.has_operand('A') && source == kDppSource)
      return extend(&Decoder::read_dpp);
    const bool literal =
        out_.opcode->flags == "k" || out_.opcode->mnemonic == "s_setreg_imm32_b32" ||
        std::any_of(out_.operands.begin(), out_.operands.begin() + out_.operand_count,
                    [](const Operand& o) {
                      return o.kind == Operand::Kind::scalar && o.number == kLiteral;
                    });
    if (!literal) return true;
    if (out_.bytes != 4) return false;
    return extend(&Decoder::read_literal);
  }

  bool extend(void (Decoder::*read)()) {
    if (words_.size() < 2) return false;
    out_.bytes = 8;
    (this->*read)();
    return true;
  }

  void read_literal() { out_.literal = high_; }

  Operand* find(char letter) {
    const auto end = out_.operands.begin() + out_.operand_count;
    const auto found = std::find_if(out_.operands.begin(), end,
                                    [&](const Operand& o) { return o.letter == letter; });
    return found == end ? nullptr : &*found;
  }

  void read_sdwa() {
    out_.form = Instruction::Form::sdwa;
    if (Operand* first = find('A'); first != nullptr) {
      set_register(*first, bit(high_, 23) ? Operand::Kind::scalar : Operand::Kind::vgpr,
                   bits(high_, 0, 8));
      set_modifiers(*first, bits(high_, 16, 8));
      out_.sdwa.source0 = static_cast<Select>(bits(high_, 16, 3));
    }
    if (Operand* second = find('B'); second != nullptr) {
      if (bit(high_, 31)) second->kind = Operand::Kind::scalar;
      set_modifiers(*second, bits(high_, 24, 8));
      out_.sdwa.source1 = static_cast<Select>(bits(high_, 24, 3));
    }
    if (out_.opcode->encoding == Encoding::vopc) {
      const bool chosen = bit(high_, 15);
      set_register(out_.operands[0], Operand::Kind::scalar,
                   chosen ? bits(high_, 8, 7) : std::uint32_t{kVccLo});
      return;
    }
    out_.sdwa.destination = static_cast<Select>(bits(high_, 8, 3));
    out_.sdwa.unused = static_cast<Unused>(bits(high_, 11, 2));
    out_.clamp = bit(high_, 13);
    out_.output_modifier = small(bits(high_, 14, 2));
  }

  static void set_modifiers(Operand& operand, std::uint32_t field) {
    operand.sign_extend = bit(field, 3);
    operand.negate = bit(field, 4);
    operand.absolute = bit(field, 5);
  }

  void read_dpp() {
    out_.form = Instruction::Form::dpp;
    out_.dpp.control = static_cast<std::uint16_t>(bits(high_, 8, 9));
    out_.dpp.bound_control = bit(high_, 19);
    out_.dpp.bank_mask = small(bits(high_, 24, 4));
    out_.dpp.row_mask = small(bits(high_, 28, 4));
    if (Operand* first = find('A'); first != nullptr) {
      set_register(*first, Operand::Kind::vgpr, bits(high_, 0, 8));
      first->negate = bit(high_, 20);
      first->absolute = bit(high_, 21);
    }
    if (Operand* second = find('B'); second != nullptr) {
      second->negate = bit(high_, 22);
      second->absolute = bit(high_, 23);
    }
  }

  Arch arch_;
  std::span<const std::uint32_t> words_;
  bool scaled_;
  std::uint32_t low_, high_;
  Instruction out_;
  fields::Reader reader_;
};

}  // namespace

const Operand* Instruction::operand(char letter) const {
  for (std::size_t i = 0; i < operand_count; ++i) {
    if (operands[i].letter == letter) return &operands[i];
  }
  return nullptr;
}

std::optional<Instruction> decode(Arch arch, std::span<const std::uint32_t> words) {
  if (words.empty()) return std::nullopt;
  if (const auto layout = fields::layout_of(words[0]);
      layout && fields::is_scaled(*layout, words)) {
    if (auto scaled = Decoder(arch, words, true).decode()) return scaled;
  }
  return Decoder(arch, words, false).decode();
}

}  // namespace rpl::isa
