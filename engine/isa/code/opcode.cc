// SPDX-License-Identifier: MIT
#include "engine/isa/code/opcode.h"

#include <array>

namespace rpl::isa {
namespace {

constexpr std::uint8_t kGfx90a = 1, kGfx942 = 2, kBoth = 3;

constexpr Opcode kOpcodes[] = {
#include "engine/isa/code/opcodes/buffer.inc"
#include "engine/isa/code/opcodes/ds.inc"
#include "engine/isa/code/opcodes/flat.inc"
#include "engine/isa/code/opcodes/scalar.inc"
#include "engine/isa/code/opcodes/smem.inc"
#include "engine/isa/code/opcodes/vop1.inc"
#include "engine/isa/code/opcodes/vop2.inc"
#include "engine/isa/code/opcodes/vop3.inc"
#include "engine/isa/code/opcodes/vop3_compare.inc"
#include "engine/isa/code/opcodes/vop3p.inc"
#include "engine/isa/code/opcodes/vopc.inc"
};

constexpr std::size_t kCodes = 1024;
using Index = std::array<std::array<std::uint16_t, kCodes>, kEncodings>;

// Row numbers plus one; zero for none.
Index make_index(std::uint8_t arch) {
  Index index{};
  std::uint16_t row = 0;
  for (const auto& opcode : kOpcodes) {
    ++row;
    if ((opcode.archs & arch) != 0)
      index[static_cast<std::size_t>(opcode.encoding)][opcode.code] = row;
  }
  return index;
}

}  // namespace

std::string_view Opcode::name() const {
  if (mnemonic.ends_with("_e32") || mnemonic.ends_with("_e64"))
    return mnemonic.substr(0, mnemonic.size() - 4);
  return mnemonic;
}

std::span<const Opcode> opcodes() { return kOpcodes; }

const Opcode* find_opcode(Arch arch, Encoding encoding, std::uint32_t code) {
  static const Index gfx90a = make_index(kGfx90a);
  static const Index gfx942 = make_index(kGfx942);
  if (code >= kCodes) return nullptr;
  const Index& index = arch == Arch::gfx90a ? gfx90a : gfx942;
  const std::uint16_t row = index[static_cast<std::size_t>(encoding)][code];
  return row == 0 ? nullptr : &kOpcodes[row - 1];
}

}  // namespace rpl::isa
