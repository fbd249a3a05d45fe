// SPDX-License-Identifier: MIT
#include "engine/isa/code/plain.h"

#include <array>

namespace rpl::isa {
namespace {

struct Frame {
  std::uint32_t fixed;  ///< the bits that say which encoding it is
  unsigned opcode_at;
  std::uint32_t second = 0;  ///< what the second dword holds where zero would not be a register
};

constexpr std::uint32_t kFirstVgpr = 256;
constexpr std::uint32_t kThreeVgprs = kFirstVgpr | kFirstVgpr << 9 | kFirstVgpr << 18;
constexpr std::uint32_t kLoadsScales = 0xd3ac0000, kAsksForScales = 1U << 11;
constexpr std::uint32_t kBothHalves = 3U << 27;  ///< op_sel_hi of the first two sources
constexpr std::uint32_t kNoAddress = 0x7fU << 16;

// Bit layouts: "Microcode Formats" of the MI200 and CDNA3 ISA documents.
Frame form_of(Encoding encoding) {
  switch (encoding) {
    case Encoding::sop1:
      return {0xbe800000, 8};
    case Encoding::sop2:
      return {0x80000000, 23};
    case Encoding::sopc:
      return {0xbf000000, 16};
    case Encoding::sopk:
      return {0xb0000000, 23};
    case Encoding::sopp:
      return {0xbf800000, 16};
    case Encoding::smem:
      return {0xc0020000, 18};
    case Encoding::vop1:
      return {0x7e000000 | kFirstVgpr, 9};
    case Encoding::vop2:
      return {0x00000000 | kFirstVgpr, 25};
    case Encoding::vopc:
      return {0x7c000000 | kFirstVgpr, 17};
    case Encoding::vop3:
      return {0xd0000000, 16, kThreeVgprs};
    case Encoding::vop3p:
    case Encoding::vop3px:
      return {0xd3804000, 16, kThreeVgprs | kBothHalves};
    case Encoding::ds:
      return {0xd8000000, 17};
    case Encoding::flat:
      return {0xdc000000, 18, kNoAddress};
    case Encoding::global:
      return {0xdc008000, 18, kNoAddress};
    case Encoding::scratch:
      return {0xdc004000, 18, kNoAddress};
    case Encoding::mubuf:
      return {0xe0000000, 18};
    case Encoding::mtbuf:
      return {0xe8000000, 15};
  }
  return {};
}

}  // namespace

std::optional<Instruction> plain_instruction(Arch arch, const Opcode& opcode) {
  Frame form = form_of(opcode.encoding);
  // Matrix instructions have other fields where others select halves.
  const bool is_scaled = opcode.encoding == Encoding::vop3px;
  if (opcode.flags == "mfma")
    form = {0xd3800000 | (is_scaled ? kAsksForScales : 0), form.opcode_at, kThreeVgprs};
  const std::uint32_t first = form.fixed | std::uint32_t{opcode.code} << form.opcode_at;
  std::array<std::uint32_t, 4> words = {first, form.second};
  if (is_scaled) words = {kLoadsScales, kThreeVgprs, first, form.second};
  auto instruction = decode(arch, words);
  if (instruction && instruction->opcode == &opcode) return instruction;
  return std::nullopt;
}

}  // namespace rpl::isa
