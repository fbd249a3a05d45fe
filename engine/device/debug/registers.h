// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/execute/state/machine.h"

namespace rpl::debug {

/// A register of a wave, or several consecutive ones, as the disassembly names them.
struct RegisterName {
  enum class Kind : std::uint8_t {
    vector,
    accumulation,
    scalar,
    scc,
    mode,
    pc
  } kind = Kind::vector;
  std::uint32_t number = 0;  ///< the first; vcc, m0 and exec are scalars at their operand numbers
  std::uint32_t count = 1;   ///< consecutive dwords

  [[nodiscard]] bool has_lanes() const {
    return kind == Kind::vector || kind == Kind::accumulation;
  }
  friend bool operator==(const RegisterName&, const RegisterName&) = default;
};

/// "v3", "v[2:3]", "a0", "s4", "s[4:5]", "vcc", "exec_lo", "m0", "scc", "mode", "pc"; a "$" in front is allowed. Fails with usage.
Result<RegisterName> parse_register(std::string_view text);
std::string to_string(const RegisterName& name);

/// The register of "v3_f32", which has a type behind it, or of a name without one; what the type is, "" for none. Fails as parse_register().
Result<std::pair<RegisterName, std::string_view>> parse_typed_register(std::string_view text);

/// Whether expressions take `name`, without "$", for something of the stopped kernel: a register, "v3_f32", "lane", "wave", "workgroup", "arg2".
bool is_kernel_name(std::string_view name);

/// Fails with not_found for a register that the kernel does not have, and says how many it has.
Status check_register(const emu::Program& program, const RegisterName& name);

/// The dwords of a register, one value for each of `count`; of `lane` for one with lanes. The name must have been checked.
std::vector<std::uint32_t> read_register(const emu::Program& program, const emu::Wave& wave,
                                         const RegisterName& name, unsigned lane);

/// A register whose content two states of a wave disagree about.
struct ChangedRegister {
  RegisterName name;
  std::uint64_t lanes = 0;  ///< in which it changed; 0 for a register without lanes
};

/// What changed from `before` to `after`: vector registers one by one, scalar ones in runs. The pc is left out.
std::vector<ChangedRegister> changed_registers(const emu::Program& program, const emu::Wave& before,
                                               const emu::Wave& after);

}  // namespace rpl::debug
