// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "engine/device/execute/launch/program.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::emu {

/// What the emulator makes of one mnemonic on each architecture; nothing where there is no such instruction. The worst of its forms,
/// each without modifiers.
struct Covered {
  isa::Encoding encoding{};                                       ///< the shortest that has it
  std::array<std::optional<Fidelity>, isa::kArchCount> fidelity;  ///< in the order of the table
  [[nodiscard]] const std::optional<Fidelity>& on(isa::Arch arch) const {
    return fidelity[static_cast<std::size_t>(arch)];
  }
  [[nodiscard]] bool is_anywhere(Fidelity wanted) const {
    return std::ranges::find(fidelity, wanted) != fidelity.end();
  }
};

/// Every mnemonic of the architectures, without _e32 and _e64, by name.
std::map<std::string, Covered> instruction_coverage();

/// Why a mnemonic without semantics has none; empty for one that has some.
std::string_view why_unsupported(std::string_view name);
/// Why the hardware may differ from an approximate mnemonic; empty for others.
std::string_view why_approximate(std::string_view name);
/// What MMA-Sim (arXiv 2511.10909), which an exact matrix instruction on floats follows, does not decide; empty for others.
std::string_view what_is_open(std::string_view name);

}  // namespace rpl::emu
