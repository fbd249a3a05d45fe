// SPDX-License-Identifier: MIT
#include "engine/isa/code/encoding_fields.h"

namespace rpl::isa::fields {
namespace {

std::optional<Layout> scalar_layout(std::uint32_t word) {
  switch (bits(word, 23, 9)) {
    case 0b101111101:
      return Layout{Encoding::sop1, bits(word, 8, 8), 1};
    case 0b101111110:
      return Layout{Encoding::sopc, bits(word, 16, 7), 1};
    case 0b101111111:
      return Layout{Encoding::sopp, bits(word, 16, 7), 1};
    default:
      break;
  }
  if (bits(word, 28, 4) == 0b1011) return Layout{Encoding::sopk, bits(word, 23, 5), 1};
  return Layout{Encoding::sop2, bits(word, 23, 7), 1};
}

std::optional<Layout> flat_layout(std::uint32_t word) {
  constexpr Encoding kSegments[] = {Encoding::flat, Encoding::scratch, Encoding::global};
  const std::uint32_t segment = bits(word, 14, 2);
  if (segment > 2) return std::nullopt;
  return Layout{kSegments[segment], bits(word, 18, 7), 2};
}

// A source of nine bits: SGPRs and constants below 256, VGPRs above.
void set_source(Operand& operand, std::uint32_t code) {
  operand.kind = code >= kVgprBase ? Operand::Kind::vgpr : Operand::Kind::scalar;
  operand.number = static_cast<std::uint16_t>(code >= kVgprBase ? code - kVgprBase : code);
}

}  // namespace

std::optional<Layout> layout_of(std::uint32_t word) {
  if (!bit(word, 31)) {
    if (bits(word, 25, 6) == 0b111110) return Layout{Encoding::vopc, bits(word, 17, 8), 1};
    if (bits(word, 25, 6) == 0b111111) return Layout{Encoding::vop1, bits(word, 9, 8), 1};
    return Layout{Encoding::vop2, bits(word, 25, 6), 1};
  }
  if (!bit(word, 30)) return scalar_layout(word);
  switch (bits(word, 26, 6)) {
    case 0b110000:
      return Layout{Encoding::smem, bits(word, 18, 8), 2};
    case 0b110100:
      if (bits(word, 23, 3) == 0b111) return Layout{Encoding::vop3p, bits(word, 16, 7), 2};
      return Layout{Encoding::vop3, bits(word, 16, 10), 2};
    case 0b110110:
      return Layout{Encoding::ds, bits(word, 17, 8), 2};
    case 0b110111:
      return flat_layout(word);
    case 0b111000:
      return Layout{Encoding::mubuf, bits(word, 18, 7), 2};
    case 0b111010:
      return Layout{Encoding::mtbuf, bits(word, 15, 4), 2};
    default:
      return std::nullopt;
  }
}

bool is_scaled(const Layout& layout, std::span<const std::uint32_t> words) {
  constexpr std::uint32_t kLoadScales = 0x2c, kAsksForScales = 1;
  if (layout.encoding != Encoding::vop3p || layout.code != kLoadScales || words.size() < 4)
    return false;
  const auto next = layout_of(words[2]);
  return next && next->encoding == Encoding::vop3p && bits(words[2], 11, 4) == kAsksForScales;
}

void set_register(Operand& operand, Operand::Kind kind, std::uint32_t number) {
  operand.kind = kind;
  operand.number = static_cast<std::uint16_t>(number);
}

void Reader::read_fields() {
  switch (out_.opcode->encoding) {
    case Encoding::sopk:
    case Encoding::sopp:
      out_.immediate = static_cast<std::uint16_t>(bits(low_, 0, 16));
      break;
    case Encoding::sopc:
      out_.immediate = static_cast<std::uint16_t>(bits(low_, 8, 8));
      break;
    case Encoding::smem:
      read_smem();
      break;
    case Encoding::vop3:
      read_vop3();
      break;
    case Encoding::vop3p:
    case Encoding::vop3px:
      read_vop3p();
      break;
    case Encoding::ds:
      read_ds();
      break;
    case Encoding::flat:
    case Encoding::global:
    case Encoding::scratch:
      read_flat();
      break;
    case Encoding::mubuf:
    case Encoding::mtbuf:
      read_buffer();
      break;
    default:
      break;
  }
}

void Reader::read_smem() {
  const bool immediate = bit(low_, 17), register_offset = bit(low_, 14);
  out_.glc = bit(low_, 16);
  out_.has_offset = immediate;
  out_.has_soffset = register_offset || !immediate;
  if (immediate) out_.offset = static_cast<std::int32_t>(high_ << 11) >> 11;
  out_.immediate = static_cast<std::uint16_t>(bits(low_, 6, 7));  // of what has no destination
  out_.soffset = small(register_offset ? bits(high_, 25, 7) : bits(high_, 0, 7));
}

bool Reader::has_flag(char flag) const {
  return out_.opcode->flags.find(flag) != std::string_view::npos;
}
bool Reader::has_operand(char letter) const {
  return out_.opcode->operands.find(letter) != std::string_view::npos;
}

// Formats of one instruction have different widths (CDNA4 ISA document, "MFMA with Block Exponent Scaling").
std::uint8_t Reader::matrix_dwords(const Operand& operand) const {
  const bool chosen = out_.opcode->mnemonic.ends_with("f8f6f4");
  if (!chosen || (operand.letter != 'A' && operand.letter != 'B')) return operand.dwords;
  constexpr std::uint8_t kDwords[] = {8, 8, 6, 6, 4, 8, 8, 8};
  return kDwords[operand.letter == 'A' ? out_.cbsz : out_.blgp];
}

bool Reader::is_valid() const {
  // Without scales in front of it nothing may ask for them.
  const bool asks = out_.opcode->encoding == Encoding::vop3p &&
                    out_.opcode->mnemonic.ends_with("f8f6f4") && out_.abid != 0;
  return !asks;
}

void Reader::read_vop3() {
  out_.clamp = bit(low_, 15);
  if (has_flag('t')) {
    out_.immediate = static_cast<std::uint16_t>(bits(high_, 27, 2) << 6 | bits(low_, 8, 3) << 3 |
                                                bits(high_, 29, 3));
  } else {
    out_.output_modifier = small(bits(high_, 27, 2));
  }
  if (!has_operand('S')) out_.op_sel = small(bits(low_, 11, 4));
}

void Reader::read_vop3p() {
  if (out_.opcode->flags == "mfma") {
    out_.cbsz = small(bits(low_, 8, 3));
    out_.abid = small(bits(low_, 11, 4));
    out_.blgp = small(bits(high_, 29, 3));
    if (scales_.empty()) return;
    out_.op_sel = small(bits(scales_[0], 11, 2));
    out_.op_sel_hi = small(bits(scales_[1], 27, 2));
    return;
  }
  out_.clamp = bit(low_, 15);
  out_.op_sel = small(bits(low_, 11, 3));
  out_.op_sel_hi = small(bits(high_, 27, 2) | bits(low_, 14, 1) << 2);
  out_.neg_hi = small(bits(low_, 8, 3));
  out_.neg_lo = small(bits(high_, 29, 3));
}

void Reader::read_ds() {
  out_.gds = bit(low_, 16);
  out_.offset = static_cast<std::int32_t>(bits(low_, 0, 16));
  out_.offset0 = small(bits(low_, 0, 8));
  out_.offset1 = small(bits(low_, 8, 8));
}

void Reader::read_flat() {
  out_.glc = bit(low_, 16);
  out_.slc = bit(low_, 17);
  out_.scc = bit(low_, 25);
  out_.lds = bit(low_, 13);
  out_.offset = out_.opcode->encoding == Encoding::flat
                    ? static_cast<std::int32_t>(bits(low_, 0, 12))
                    : static_cast<std::int32_t>(low_ << 19) >> 19;
}

void Reader::read_buffer() {
  out_.offset = static_cast<std::int32_t>(bits(low_, 0, 12));
  out_.offen = bit(low_, 12);
  out_.idxen = bit(low_, 13);
  out_.glc = bit(low_, 14);
  const bool typed = out_.opcode->encoding == Encoding::mtbuf;
  out_.scc = typed ? bit(high_, 21) : bit(low_, 15);
  out_.slc = typed ? bit(high_, 22) : bit(low_, 17);
  out_.lds = !typed && bit(low_, 16);
  out_.format = small(bits(low_, 19, 7));
}

void Reader::place(Operand& operand) const {
  switch (out_.opcode->encoding) {
    case Encoding::sop1:
    case Encoding::sop2:
    case Encoding::sopc:
    case Encoding::sopk:
      place_scalar(operand);
      break;
    case Encoding::smem:
      set_register(operand, Operand::Kind::scalar,
                   operand.letter == 'D' ? bits(low_, 6, 7) : bits(low_, 0, 6) * 2);
      break;
    case Encoding::vop1:
    case Encoding::vop2:
    case Encoding::vopc:
      place_short(operand);
      break;
    case Encoding::vop3:
      place_vop3(operand);
      break;
    case Encoding::vop3p:
    case Encoding::vop3px:
      place_vop3p(operand);
      break;
    case Encoding::ds:
      place_ds(operand);
      break;
    case Encoding::mubuf:
    case Encoding::mtbuf:
      place_buffer(operand);
      break;
    case Encoding::sopp:
      break;
    default:
      place_flat(operand);
      break;
  }
}

void Reader::place_scalar(Operand& operand) const {
  const bool second = operand.letter == 'B';
  const std::uint32_t code =
      operand.letter == 'D' ? bits(low_, 16, 7) : bits(low_, second ? 8 : 0, 8);
  set_register(operand, Operand::Kind::scalar, code);
}

void Reader::place_short(Operand& operand) const {
  switch (operand.letter) {
    case 'A':
      set_source(operand, bits(low_, 0, 9));
      break;
    case 'B':
      set_register(operand, Operand::Kind::vgpr, bits(low_, 9, 8));
      break;
    case 'Q':
      set_register(operand, Operand::Kind::scalar, bits(low_, 17, 8));
      break;
    case 'V':
      set_register(operand, Operand::Kind::scalar, kVccLo);
      break;
    default:
      set_register(operand, Operand::Kind::vgpr, bits(low_, 17, 8));
      break;
  }
  if (out_.opcode->mnemonic.starts_with("v_accvgpr_mov") && operand.is_vector())
    operand.kind = Operand::Kind::agpr;
}

std::uint32_t Reader::long_source(char letter) const {
  return bits(high_, letter == 'A' ? 0 : letter == 'B' ? 9 : 18, 9);
}

void Reader::place_vop3(Operand& operand) const {
  const unsigned index = operand.letter == 'A' ? 0 : operand.letter == 'B' ? 1 : 2;
  switch (operand.letter) {
    case 'D':
      set_register(operand, Operand::Kind::vgpr, bits(low_, 0, 8));
      return;
    case 'Q':
      set_register(operand, Operand::Kind::scalar, bits(low_, 0, 8));
      return;
    case 'S':
      set_register(operand, Operand::Kind::scalar, bits(low_, 8, 7));
      return;
    case 'V':
      set_register(operand, Operand::Kind::scalar, kVccLo);
      return;
    default:
      break;
  }
  set_source(operand, long_source(operand.letter));
  const bool changed = has_flag('s') && operand.letter == 'B';
  operand.negate = (has_flag('n') || changed) && bit(high_, 29 + index);
  operand.absolute = (has_flag('a') || changed) && bit(low_, 8 + index);
}

void Reader::place_vop3p(Operand& operand) const {
  const bool matrix = out_.opcode->flags == "mfma";
  const bool accumulator = matrix && bit(low_, 15);
  const bool reads_agpr = out_.opcode->mnemonic.starts_with("v_accvgpr_read");
  if (operand.letter == 'D') {
    // Moves name the file by the opcode, matrix instructions by the bit acc_cd.
    const bool agpr = accumulator || out_.opcode->mnemonic.starts_with("v_accvgpr_write");
    set_register(operand, agpr ? Operand::Kind::agpr : Operand::Kind::vgpr, bits(low_, 0, 8));
    return;
  }
  if (operand.letter == 'M' || operand.letter == 'N') {
    set_source(operand, bits(scales_[1], operand.letter == 'M' ? 0 : 9, 9));
    return;
  }
  operand.dwords = matrix_dwords(operand);
  set_source(operand, long_source(operand.letter));
  if (out_.opcode->mnemonic.find("_mix") != std::string_view::npos) {
    const unsigned index = operand.letter == 'A' ? 0 : operand.letter == 'B' ? 1 : 2;
    operand.negate = bit(high_, 29 + index);
    operand.absolute = bit(low_, 8 + index);
  }
  if (operand.kind != Operand::Kind::vgpr) return;
  const unsigned acc_bit = operand.letter == 'A' ? 27 : 28;
  // The third source of sparse ones is an index, which is never in an AGPR.
  const bool sparse = out_.opcode->mnemonic.starts_with("v_smfmac");
  const bool flagged = operand.letter == 'C' ? accumulator && !sparse : bit(high_, acc_bit);
  if (reads_agpr || (matrix && flagged)) operand.kind = Operand::Kind::agpr;
}

void Reader::place_ds(Operand& operand) const {
  const auto data = bit(low_, 25) ? Operand::Kind::agpr : Operand::Kind::vgpr;
  switch (operand.letter) {
    case 'A':
      set_register(operand,
                   out_.opcode->mnemonic.starts_with("ds_gws") ? data : Operand::Kind::vgpr,
                   bits(high_, 0, 8));
      break;
    case 'X':
      set_register(operand, data, bits(high_, 8, 8));
      break;
    case 'Y':
      set_register(operand, data, bits(high_, 16, 8));
      break;
    default:
      set_register(operand, data, bits(high_, 24, 8));
      break;
  }
}

void Reader::place_flat(Operand& operand) const {
  constexpr std::uint32_t kNoScalar = 0x7f;
  const bool scratch = out_.opcode->encoding == Encoding::scratch;
  const std::uint32_t base = bits(high_, 16, 7);
  const bool has_base = out_.opcode->encoding != Encoding::flat && base != kNoScalar;
  const auto data = bit(high_, 23) ? Operand::Kind::agpr : Operand::Kind::vgpr;
  switch (operand.letter) {
    case 'A':
      break;
    case 'X':
      set_register(operand, data, bits(high_, 8, 8));
      return;
    case 'O':
      operand.dwords = scratch ? 1 : 2;
      if (has_base) set_register(operand, Operand::Kind::scalar, base);
      return;
    default:
      set_register(operand, data, bits(high_, 24, 8));
      return;
  }
  const bool vector_address =
      !scratch || (traits(arch_).has_scratch_address_bit ? out_.lds : !has_base);
  if (vector_address) set_register(operand, Operand::Kind::vgpr, bits(high_, 0, 8));
  if (has_base && !scratch) operand.dwords = 1;
}

void Reader::place_buffer(Operand& operand) const {
  const auto data = bit(high_, 23) ? Operand::Kind::agpr : Operand::Kind::vgpr;
  switch (operand.letter) {
    case 'X':
      set_register(operand, data, bits(high_, 8, 8));
      break;
    case 'R':
      set_register(operand, Operand::Kind::scalar, bits(high_, 16, 5) * 4);
      break;
    case 'T':
      set_register(operand, Operand::Kind::scalar, bits(high_, 24, 8));
      break;
    default:
      operand.dwords = out_.offen && out_.idxen ? 2 : 1;
      if (out_.offen || out_.idxen) set_register(operand, Operand::Kind::vgpr, bits(high_, 0, 8));
      break;
  }
}

}  // namespace rpl::isa::fields
