// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/isa/code/operand_text.h"

#include <cstdlib>

namespace rpl::isa {
namespace {

using Kind = Operand::Kind;

class Printer {
 public:
  Printer(Arch arch, const Instruction& instruction)
      : arch_(arch), in_(instruction), encoding_(instruction.opcode->encoding) {}

  std::string print() {
    text_ = mnemonic();
    print_operands();
    print_immediate();
    print_modifiers();
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::string mnemonic() const {
    if (in_.form == Instruction::Form::plain) return std::string(in_.opcode->mnemonic);
    return fmt::format("{}_{}", in_.opcode->name(),
                       in_.form == Instruction::Form::sdwa ? "sdwa" : "dpp");
  }

  void add(std::string_view operand) {
    text_ += first_ ? " " : ", ";
    text_ += operand;
    first_ = false;
  }

  void print_operands() {
    if (in_.opcode->mnemonic.starts_with("s_atc_probe")) add(small_or_hex(in_.immediate));
    if (in_.opcode->mnemonic.starts_with("s_setreg"))
      add(hardware_register_text(arch_, in_.immediate));
    const auto name = in_.opcode->mnemonic;
    for (std::size_t i = 0; i < in_.operand_count; ++i) {
      // v_madmk and v_fmamk have their literal between the sources.
      if (in_.opcode->flags == "k" && in_.operands[i].letter == 'B' &&
          name.find("mk_") != name.npos)
        add_literal();
      add(source(in_.operands[i]));
    }
    if (in_.opcode->flags == "k" && name.find("ak_") != name.npos) add_literal();
  }

  void add_literal() { add(fmt::format("0x{:x}", in_.literal)); }

  // v_mfma_f64_16x16x4_f64, on gfx90a v_mfma_f64_16x16x4f64.
  [[nodiscard]] bool is_double_matrix() const {
    return in_.opcode->mnemonic.starts_with("v_mfma_f64");
  }

  [[nodiscard]] bool takes_double_accumulator(const Operand& operand) const {
    return operand.letter == 'C' && is_double_matrix();
  }

  /// Two dwords may also be two packed floats.
  [[nodiscard]] bool is_double(const Operand& operand) const {
    if (takes_double_accumulator(operand)) return true;
    return operand.dwords == 2 && !in_.opcode->mnemonic.starts_with("v_pk_");
  }

  // The last type in the name is that of the sources.
  [[nodiscard]] bool reads_half() const {
    const auto name = in_.opcode->name();
    // These read pairs of them.
    const bool pairs =
        name.starts_with("v_dot") || name.starts_with("v_pk") || name.starts_with("v_sat_pk");
    return name.starts_with("v_") && !pairs && name.ends_with("16") && name.size() > 4 &&
           name[name.size() - 4] == '_';
  }

  [[nodiscard]] std::string plain(const Operand& operand) const {
    const std::uint16_t number = operand.number;
    switch (operand.kind) {
      case Kind::vgpr:
        return range("v", number, operand.dwords);
      case Kind::agpr:
        return range("a", number, operand.dwords);
      case Kind::off:
        return "off";
      case Kind::scalar:
        break;
    }
    if (number < kFlatScratchLo) return range("s", number, operand.dwords);
    if (number >= kTtmp0 && number < kM0) return range("ttmp", number - kTtmp0, operand.dwords);
    if (number >= kZero && number <= kLastPositive) return fmt::format("{}", number - kZero);
    if (number > kLastPositive && number <= kLastNegative)
      return fmt::format("{}", kLastPositive - number);
    if (number >= kFirstFloat && number <= kLastFloat) {
      return std::string(float_text(number, is_double(operand)));
    }
    if (number == kLiteral) {
      const bool marked = traits(arch_).marks_literals && fits_constant(in_.literal, reads_half());
      if (marked) return fmt::format("lit(0x{:x})", in_.literal);
      return literal_text(reads_half() ? in_.literal & 0xffff : in_.literal);
    }
    return register_name(number, operand.dwords);
  }

  [[nodiscard]] std::string source(const Operand& operand) const {
    std::string text = plain(operand);
    // Their later sources are integers, for which the bit that negates is written as SDWA's sign extension.
    const auto name = in_.opcode->mnemonic;
    const bool integer = operand.letter != 'A' && operand.negate &&
                         (name == "v_cvt_pk_u8_f32" || name == "v_cvt_pkaccum_u8_f32" ||
                          name == "v_trig_preop_f64" || name.starts_with("v_ldexp"));
    if (operand.sign_extend || integer) return fmt::format("sext({})", text);
    if (operand.absolute) text = fmt::format("|{}|", text);
    if (!operand.negate) return text;
    const bool constant =
        operand.kind == Kind::scalar && operand.number >= kZero && operand.number != kLdsDirect;
    const bool named_register = (operand.number >= kSharedBase && operand.number <= kPopsId) ||
                                (operand.number >= kVccz && operand.number <= kScc);
    if (constant && !named_register && !operand.absolute) return fmt::format("neg({})", text);
    return "-" + text;
  }

  void print_immediate() {
    switch (encoding_) {
      case Encoding::sopc:
        if (in_.opcode->mnemonic == "s_set_gpr_idx_on") add(index_modes_text(in_.immediate));
        break;
      case Encoding::sopk:
        print_sopk();
        break;
      case Encoding::sopp:
        print_sopp();
        break;
      case Encoding::smem:
        print_smem();
        break;
      default:
        break;
    }
  }

  void print_sopk() {
    const auto name = in_.opcode->mnemonic;
    if (name.starts_with("s_getreg")) return add(hardware_register_text(arch_, in_.immediate));
    if (name == "s_setreg_imm32_b32") return add(literal_text(in_.literal));
    if (name.starts_with("s_setreg")) return;
    if (name == "s_call_b64" || name == "s_cbranch_i_fork")
      return add(fmt::format("{}", in_.immediate));
    add(fmt::format("0x{:x}", in_.immediate));
  }

  void print_sopp() {
    const auto name = in_.opcode->mnemonic;
    if (name == "s_waitcnt") return print_waitcnt();
    if (name == "s_endpgm" && in_.immediate == 0) return;
    if (name.starts_with("s_sendmsg")) return add(message_text(in_.immediate));
    if (name == "s_set_gpr_idx_mode") return add(index_modes_text(in_.immediate));
    if (name == "s_endpgm") return add(fmt::format("{}", in_.immediate));
    if (in_.opcode->flags == "branch") return add(fmt::format("{}", in_.immediate));
    if (!in_.opcode->flags.empty()) add(small_or_hex(in_.immediate));
  }

  // What an inline constant could hold is written in decimal.
  static std::string small_or_hex(std::uint16_t value) {
    const auto number = static_cast<std::int16_t>(value);
    return number >= -16 && number <= 64 ? fmt::format("{}", number) : fmt::format("0x{:x}", value);
  }

  void print_waitcnt() {
    constexpr unsigned kMaxVm = 63, kMaxExp = 7, kMaxLgkm = 15;
    const unsigned vm = (in_.immediate & 15U) | (in_.immediate >> 14 & 3U) << 4;
    const unsigned exp = in_.immediate >> 4 & 7U, lgkm = in_.immediate >> 8 & 15U;
    const bool all = vm == kMaxVm && exp == kMaxExp && lgkm == kMaxLgkm;
    std::string parts;
    const auto part = [&](std::string_view name, unsigned value, unsigned highest) {
      if (value != highest || all)
        parts += fmt::format("{}{}({})", parts.empty() ? "" : " ", name, value);
    };
    part("vmcnt", vm, kMaxVm);
    part("expcnt", exp, kMaxExp);
    part("lgkmcnt", lgkm, kMaxLgkm);
    add(parts);
  }

  void print_smem() {
    const bool addressed = in_.operand('A') != nullptr;
    if (addressed && in_.has_soffset)
      add(plain({.kind = Kind::scalar, .dwords = 1, .number = in_.soffset}));
    if (addressed && in_.has_offset) {
      const std::string offset =
          fmt::format("{}0x{:x}", in_.offset < 0 ? "-" : "", std::abs(in_.offset));
      if (in_.has_soffset) {
        text_ += " offset:" + offset;
      } else {
        add(offset);
      }
    }
    if (in_.glc) text_ += " glc";
  }

  void print_modifiers() {
    if (in_.form == Instruction::Form::dpp) return print_dpp();
    if (in_.form == Instruction::Form::sdwa) return print_sdwa();
    switch (encoding_) {
      case Encoding::vop3:
        print_vop3();
        break;
      case Encoding::vop3p:
      case Encoding::vop3px:
        print_vop3p();
        break;
      case Encoding::ds:
        print_ds();
        break;
      case Encoding::flat:
      case Encoding::global:
      case Encoding::scratch:
        print_flat();
        break;
      case Encoding::mubuf:
        print_buffer();
        break;
      case Encoding::mtbuf:
        print_buffer();
        break;
      default:
        break;
    }
  }

  void print_output_modifiers() {
    if (in_.clamp) text_ += " clamp";
    constexpr std::string_view kModifiers[] = {"", " mul:2", " mul:4", " div:2"};
    text_ += kModifiers[in_.output_modifier];
  }

  [[nodiscard]] unsigned sources() const {
    unsigned count = 0;
    for (std::size_t i = 0; i < in_.operand_count; ++i) {
      const char letter = in_.operands[i].letter;
      count += letter == 'A' || letter == 'B' || letter == 'C' ? 1 : 0;
    }
    return count;
  }

  static std::string flags(unsigned value, unsigned count) {
    std::string text = "[";
    for (unsigned i = 0; i < count; ++i)
      text += fmt::format("{}{}", i == 0 ? "" : ",", value >> i & 1);
    return text + "]";
  }

  void print_truth_table() {
    constexpr unsigned kLastDecimal = 10;
    if (in_.immediate == 0) return;
    text_ += in_.immediate <= kLastDecimal ? fmt::format(" bitop3:{}", in_.immediate)
                                           : fmt::format(" bitop3:0x{:x}", in_.immediate);
  }

  // What swaps of lanes do where a lane is not active.
  void print_inactive_lanes() {
    if ((in_.op_sel & 2U) != 0) text_ += " bound_ctrl:1";
    if ((in_.op_sel & 1U) != 0) text_ += " fi:1";
  }

  /// Conversions that write one byte of four and have fewer than three other sources.
  [[nodiscard]] bool reads_destination() const {
    const auto name = in_.opcode->mnemonic;
    return name.starts_with("v_cvt_sr_fp8") || name.starts_with("v_cvt_sr_bf8") ||
           (name.starts_with("v_cvt_scalef32_pk_fp4") && !name.ends_with("_f32"));
  }

  void print_vop3() {
    const auto kinds = in_.opcode->flags;
    if (kinds.find('t') != kinds.npos) print_truth_table();
    if (in_.opcode->mnemonic.starts_with("v_permlane")) print_inactive_lanes();
    if (in_.op_sel != 0 && kinds.find('o') != kinds.npos) {
      const unsigned count = sources() + (reads_destination() ? 1 : 0);
      const unsigned inputs = in_.op_sel & ((1U << count) - 1);
      text_ +=
          " op_sel:" + flags(inputs | static_cast<unsigned>(in_.op_sel >> 3U) << count, count + 1);
    }
    if (in_.clamp && kinds.find('c') != kinds.npos) text_ += " clamp";
    constexpr std::string_view kModifiers[] = {"", " mul:2", " mul:4", " div:2"};
    if (kinds.find('m') != kinds.npos) text_ += kModifiers[in_.output_modifier];
  }

  void print_matrix_formats() {
    if (in_.cbsz != 0) text_ += fmt::format(" cbsz:{}", in_.cbsz);
    if (in_.blgp != 0) text_ += fmt::format(" blgp:{}", in_.blgp);
  }

  void print_vop3p() {
    if (in_.opcode->mnemonic.starts_with("v_accvgpr")) return;
    if (in_.opcode->flags == "mfma") {
      // The third of three belongs to no scale.
      if (encoding_ == Encoding::vop3px && in_.op_sel != 0)
        text_ += " op_sel:" + flags(in_.op_sel, 3);
      if (encoding_ == Encoding::vop3px) text_ += " op_sel_hi:" + flags(in_.op_sel_hi, 3);
      if (encoding_ == Encoding::vop3px) return print_matrix_formats();
      if (in_.cbsz != 0) text_ += fmt::format(" cbsz:{}", in_.cbsz);
      if (in_.abid != 0) text_ += fmt::format(" abid:{}", in_.abid);
      if (in_.blgp == 0) return;
      const bool negates = is_double_matrix() && traits(arch_).negates_double_matrix;
      text_ += negates ? " neg:" + flags(in_.blgp, 3) : fmt::format(" blgp:{}", in_.blgp);
      return;
    }
    const unsigned count = sources(), every = (1U << count) - 1;
    const bool mixed = in_.opcode->mnemonic.find("mix") != std::string_view::npos;
    const auto part = [&](std::string_view name, unsigned value, unsigned usual) {
      if ((value & every) != (usual & every))
        text_ += fmt::format(" {}:{}", name, flags(value, count));
    };
    part("op_sel", in_.op_sel, 0);
    part("op_sel_hi", in_.op_sel_hi, mixed ? 0 : every);
    part("neg_lo", mixed ? 0 : in_.neg_lo, 0);
    part("neg_hi", mixed ? 0 : in_.neg_hi, 0);
    if (in_.clamp) text_ += " clamp";
  }

  void print_ds() {
    if (in_.opcode->mnemonic == "ds_swizzle_b32") {
      if (in_.offset != 0) text_ += " offset:" + swizzle_text(static_cast<unsigned>(in_.offset));
    } else if (in_.opcode->flags == "2") {
      if (in_.offset0 != 0) text_ += fmt::format(" offset0:{}", in_.offset0);
      if (in_.offset1 != 0) text_ += fmt::format(" offset1:{}", in_.offset1);
    } else if (in_.offset != 0) {
      text_ += fmt::format(" offset:{}", in_.offset);
    }
    if (in_.gds) text_ += " gds";
  }

  void print_cache_policy() {
    const bool newer = traits(arch_).has_scope_bits;
    if (in_.glc) text_ += newer ? " sc0" : " glc";
    if (in_.slc) text_ += newer ? " nt" : " slc";
    if (in_.scc) text_ += newer ? " sc1" : " scc";
  }

  void print_flat() {
    if (in_.offset != 0) text_ += fmt::format(" offset:{}", in_.offset);
    print_cache_policy();
    const bool tells_address =
        encoding_ == Encoding::scratch && traits(arch_).has_scratch_address_bit;
    if (in_.lds && !tells_address) text_ += " lds";
  }

  void print_buffer() {
    // Without scopes there is no choice what to write back or invalidate.
    if (in_.operand_count == 0 && !traits(arch_).has_scope_bits) return;
    if (encoding_ == Encoding::mtbuf) {
      const std::string format = buffer_format_text(in_.format);
      if (!format.empty()) text_ += " format:" + format;
    }
    if (in_.idxen) text_ += " idxen";
    if (in_.offen) text_ += " offen";
    if (in_.offset != 0) text_ += fmt::format(" offset:{}", in_.offset);
    // Where it belongs to the instruction LLVM writes it first.
    const bool always_lds = in_.opcode->mnemonic == "buffer_store_lds_dword";
    if (in_.lds && always_lds) text_ += " lds";
    print_cache_policy();
    if (in_.lds && !always_lds) text_ += " lds";
  }

  void print_dpp() {
    text_ += " " + dpp_text(in_.dpp.control);
    text_ += fmt::format(" row_mask:0x{:x} bank_mask:0x{:x}", in_.dpp.row_mask, in_.dpp.bank_mask);
    if (in_.dpp.bound_control) text_ += " bound_ctrl:1";
  }

  void print_sdwa() {
    constexpr std::string_view kSelect[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                            "WORD_0", "WORD_1", "DWORD",  "?"};
    constexpr std::string_view kUnused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "?"};
    // Conversions of 8-bit floats always write whole registers.
    const bool whole =
        in_.opcode->name().ends_with("f32_fp8") || in_.opcode->name().ends_with("f32_bf8");
    const auto name = [&](Select select) { return kSelect[static_cast<std::size_t>(select)]; };
    if (encoding_ != Encoding::vopc && !whole) {
      print_output_modifiers();
      text_ += fmt::format(" dst_sel:{} dst_unused:{}", name(in_.sdwa.destination),
                           kUnused[static_cast<std::size_t>(in_.sdwa.unused)]);
    }
    text_ += fmt::format(" src0_sel:{}", name(in_.sdwa.source0));
    if (in_.operand('B') != nullptr) text_ += fmt::format(" src1_sel:{}", name(in_.sdwa.source1));
  }

  Arch arch_;
  const Instruction& in_;
  Encoding encoding_;
  std::string text_;
  bool first_ = true;
};

}  // namespace

std::string disassemble(Arch arch, const Instruction& instruction) {
  return Printer(arch, instruction).print();
}

}  // namespace rpl::isa
