// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/device/execute/launch/program.h"

namespace rpl::emu {

/// What the emulator makes of one mnemonic on each architecture; nothing where there is no such instruction. The worst of its forms,
/// each without modifiers.
struct Covered {
  isa::Encoding encoding{};  ///< the shortest that has it
  std::optional<Fidelity> gfx90a, gfx942;
  [[nodiscard]] const std::optional<Fidelity>& on(isa::Arch arch) const {
    return arch == isa::Arch::gfx90a ? gfx90a : gfx942;
  }
};

/// Every mnemonic of both architectures, without _e32 and _e64, by name.
std::map<std::string, Covered> instruction_coverage();

/// Why a mnemonic without semantics has none; empty for one that has some.
std::string_view why_unsupported(std::string_view name);

}  // namespace rpl::emu
