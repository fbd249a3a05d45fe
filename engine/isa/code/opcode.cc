// SPDX-License-Identifier: MIT
#include "engine/isa/code/opcode.h"

#include <array>

namespace rpl::isa {
namespace {

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
Index make_index(Arch arch) {
  Index index{};
  std::uint16_t row = 0;
  for (const auto& opcode : kOpcodes) {
    ++row;
    if ((opcode.archs & traits(arch).instructions) != 0)
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
  static const auto indices = [] {
    std::array<Index, kArchCount> made;
    std::ranges::transform(architectures(), made.begin(), make_index);
    return made;
  }();
  if (code >= kCodes) return nullptr;
  const Index& index = indices[static_cast<std::size_t>(arch)];
  const std::uint16_t row = index[static_cast<std::size_t>(encoding)][code];
  return row == 0 ? nullptr : &kOpcodes[row - 1];
}

}  // namespace rpl::isa
