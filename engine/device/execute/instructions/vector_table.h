// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/device/execute/instructions/whole.h"

namespace rpl::emu {

/// What a vector instruction computes, by its name without _e32 and _e64.
struct VectorEntry {
  std::string name;
  LaneFunction lanes = nullptr;  ///< none for comparisons
  Handler whole = nullptr;       ///< all of it, where nothing modifies it; may be null
  MaskFunction mask = nullptr;   ///< what goes to vcc or the scalar destination
  std::array<Type, 3> sources{};
  Type result = Type::none;
  bool accumulates = false;        ///< the destination is the third source
  bool takes_mask = false;         ///< the last source is a bit for each lane: 0 or 1 in its dword
  bool approximate = false;        ///< not bit for bit what the hardware computes
  std::uint8_t sets = isa::kAll;   ///< the InstructionSets in which the name means this
  LaneFunction clamped = nullptr;  ///< integers with the clamp bit: saturating
  LaneFunction by_mode = nullptr;  ///< f16 results rounded as current_mode() says
  LaneFunction no_ieee = nullptr;  ///< with MODE.IEEE off, where that differs
  LaneFunction per_register = nullptr;  ///< of pairs of floats: one register of the pair
  bool fixed_rounding = false;          ///< rounds in one way whatever MODE says
  bool keeps_denormals = false;         ///< reads and writes denormals whatever MODE says
  bool mixed = false;                   ///< each source is a float or a half (v_fma_mix)
  /// What a result of 16 or 8 bits does to the rest of its register: nearly all of gfx9 clear it (LLVM,
  /// GCNSubtarget::zeroesHigh16BitsOfDest).
  enum class Rest : std::uint8_t {
    cleared,
    kept,
    kept_below,
    kept_around_byte
  } rest = Rest::cleared;
};

/// F is a lambda without captures; its parameter and result types are those of the sources and the destination.
/// Hot ones come in ways of their own for scalar sources.
template <bool kHot = false, class F>
VectorEntry vector_entry(F, std::string name) {
  using S = detail::SignatureOf<F{}>;
  VectorEntry entry;
  entry.name = std::move(name);
  entry.lanes = lane_function<F{}>();
  entry.whole = whole_function<F{}, kHot>();
  entry.result = detail::type_of<typename S::Result>();
  entry.sources = {detail::type_of<typename S::template Argument<0>>(),
                   detail::type_of<typename S::template Argument<1>>(),
                   detail::type_of<typename S::template Argument<2>>()};
  return entry;
}

/// The same where `quick` gives what F does unless F gives a NaN, and then gives one too.
template <class Quick, class F>
VectorEntry checked_entry(Quick, F exact, std::string name) {
  VectorEntry entry = vector_entry(exact, std::move(name));
  entry.lanes = checked_function<Quick{}, F{}>();
  entry.whole = whole_checked_function<Quick{}, F{}>();
  return entry;
}

template <class F>
VectorEntry compare_entry(F, std::string name) {
  using S = detail::SignatureOf<F{}>;
  VectorEntry entry;
  entry.name = std::move(name);
  entry.mask = mask_function<F{}>();
  entry.whole = whole_compare_function<F{}>();
  entry.sources = {detail::type_of<typename S::template Argument<0>>(),
                   detail::type_of<typename S::template Argument<1>>(), Type::none};
  return entry;
}

/// Both a value and a carry.
template <class Value, class Carry>
VectorEntry carry_entry(Value value, Carry, std::string name) {
  VectorEntry entry = vector_entry(value, std::move(name));
  entry.mask = mask_function<Carry{}>();
  entry.whole = whole_carry_function<Value{}, Carry{}>();
  return entry;
}

std::vector<VectorEntry> float_entries();
std::vector<VectorEntry> float_special_entries();
std::vector<VectorEntry> double_entries();
std::vector<VectorEntry> integer_entries();
std::vector<VectorEntry> carry_entries();
std::vector<VectorEntry> compare_entries();
std::vector<VectorEntry> half_entries();
std::vector<VectorEntry> half_special_entries();
std::vector<VectorEntry> short_entries();
std::vector<VectorEntry> saturating_entries();
std::vector<VectorEntry> packed_entries();
std::vector<VectorEntry> mixed_entries();
std::vector<VectorEntry> dot_entries();
std::vector<VectorEntry> pack_entries();
std::vector<VectorEntry> byte_entries();
std::vector<VectorEntry> byte_float_entries();
std::vector<VectorEntry> cube_entries();
std::vector<VectorEntry> bfloat_entries();
std::vector<VectorEntry> propagating_entries();

/// The semantics of a vector instruction on an architecture, or null when there is none yet.
const VectorEntry* find_vector_entry(isa::Arch arch, const std::string& name);

}  // namespace rpl::emu
