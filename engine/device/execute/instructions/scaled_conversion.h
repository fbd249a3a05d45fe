// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/instructions/small_float.h"
#include "engine/device/execute/state/machine.h"

/// v_cvt_scalef32_*: between floats of 32 or 16 bits and the small ones, divided or multiplied by a power of two, which is the exponent of a
/// float (CDNA4 ISA document, "VOP3A instructions").
namespace rpl::emu {

enum class WideType : std::uint8_t { f32, f16, bf16 };

struct ScaledConversion {
  SmallFormat small;
  WideType wide = WideType::f32;
  bool narrows = false;      ///< to the small format, else from it
  bool stochastic = false;   ///< rounds by random bits
  bool interleaved = false;  ///< of two sources by turns
  unsigned count = 1;        ///< numbers of a lane

  /// What is written may differ from the hardware in its last bit, or for a NaN.
  [[nodiscard]] bool is_approximate() const { return narrows && (stochastic || !small.has_nan); }
};

/// What an instruction converts, or null for any other.
const ScaledConversion* find_scaled_conversion(const isa::Opcode& opcode);

/// Null where its modifiers have no meaning that is known.
Handler lower_scaled_conversion(const isa::Instruction& instruction);

}  // namespace rpl::emu
