// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/isa/object/byte_view.h"

namespace rpl::isa {

/// A register of a wave, as DWARF numbers it for waves of 64 lanes. Source: llvm.org/docs/AMDGPUUsage.html, "Register Identifier".
struct MachineRegister {
  enum class Kind : std::uint8_t {
    vector,
    accumulation,
    scalar,
    pc,
    exec,
    vcc
  } kind = Kind::scalar;
  std::uint32_t number = 0;
  friend bool operator==(const MachineRegister&, const MachineRegister&) = default;
};
std::optional<MachineRegister> machine_register(std::uint64_t dwarf_number);

/// Where a part of a variable is, or its value.
struct VariablePart {
  enum class Kind : std::uint8_t {
    missing,  ///< optimized out
    in_register,
    memory,
    value,  ///< the bytes themselves
  } kind = Kind::missing;
  enum class Space : std::uint8_t { device, group, lane } space = Space::device;
  std::uint64_t bytes = 0;            ///< of the variable; 0: all that is left of it
  MachineRegister where = {};         ///< in_register: of the selected lane
  std::uint64_t offset = 0;           ///< in_register: bytes from its beginning
  std::optional<unsigned> lane = {};  ///< in_register: of another lane than the selected one
  std::uint64_t address = 0;  ///< memory: of the device, of LDS, or of the lane's private memory
  std::vector<std::byte> value = {};
};

/// A base type that an expression converts to.
struct StackType {
  unsigned bits = 64;
  bool is_signed = false, is_float = false;
};

/// What an expression may ask for. Functions give nothing for what there is not.
struct LocationNeeds {
  std::function<std::optional<std::uint64_t>(MachineRegister)> read_register = {};
  std::function<std::optional<std::uint64_t>(VariablePart::Space, std::uint64_t address,
                                             unsigned bytes)>
      read_memory = {};
  std::function<std::optional<std::uint64_t>(std::uint64_t index)> indexed_address = {};
  std::function<std::optional<StackType>(std::uint64_t offset_in_unit)> type = {};
  ByteView frame_base = {};     ///< an expression; empty: private memory begins at 0
  unsigned lane = 0;            ///< the selected one
  std::uint64_t load_base = 0;  ///< of the code object: is added to its addresses
  unsigned stack_scale =
      1;  ///< bytes of the wave that the stack pointer counts for a byte of a lane
  unsigned offset_bytes = 4;  ///< 8 in 64-bit DWARF
};

/// Runs a location expression: DWARF 5, 2.5 and 2.6, with the operations for address spaces of AMDGPU's extension, and as clang writes them.
/// What it cannot tell is missing: an entry value, a pointer to what was optimized out, an unknown operation. At most some thousand operations.
std::vector<VariablePart> locate(ByteView expression, const LocationNeeds& needs);

}  // namespace rpl::isa
