// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/optimize/inputs/input_class.h"
#include "engine/replay/replay.h"

/// What a kernel is run with to find out whether another one does the same.
namespace rpl {

/// What the contents of a buffer decide in the baseline, found out by running it with other contents.
enum class Role : std::uint8_t {
  value,      ///< addresses, lanes and branches stay the same: drawn freely
  branch,     ///< they change, and whatever it holds runs: drawn freely too
  structure,  ///< indices, bounds, links: drawn within the captured extent; what is sorted stays sorted, what is distinct stays distinct
  fixed,      ///< no other contents were found that run
};
std::string_view to_string(Role role);

struct BufferTraits {
  Element element = Element::u8;  ///< u8: neither said nor found out
  bool inferred = false;          ///< from what it holds
  bool mixed =
      false;  ///< dwords of which some look like floats (structures): those alone are drawn as floats, the others by the role
  Role role = Role::value;
  bool accumulates = false;  ///< what the captured dispatch leaves depends on what was there before
  bool orders =
      false;  ///< the baseline has a race where it begins with something else, as a counter of workgroups may
  bool any_order =
      false;  ///< of a structure that is sorted: the baseline takes the same ways through its code when it is not
  bool stay_distinct =
      false;  ///< of a structure: the baseline has a race where two elements are equal
  bool stay_sorted =
      false;  ///< of what is none: captured in ascending order, and the baseline has a race where it is in no order
};

struct InputSet {
  InputClass kind = InputClass::captured;
  std::shared_ptr<const Capture> dispatch =
      nullptr;              ///< with other arguments or another launch; null: the captured one
  MemoryImage memory;       ///< by region
  std::size_t redrawn = 0;  ///< buffers that differ from the captured ones
};

using Random = std::mt19937_64;

/// Constants that a candidate computes with and the baseline does not: where a condition on the values of inputs changes its mind, one of them is its bound.
struct Thresholds {
  std::vector<double> numbers;      ///< finite, not 0
  std::vector<std::int64_t> whole;  ///< positive
};

/// The type of a region's elements by what it holds before and after, where nobody says: f32, u64 for addresses of regions, u32, or u8.
BufferTraits infer_traits(const Capture& capture, std::size_t region,
                          std::span<const std::byte> after);

/// Other contents for a buffer; `thresholds` are for the kind `around`. Returns whether they differ from the captured ones. While the interrupt flag is up they are drawn in
/// part, and no run takes them.
bool draw(InputClass kind, const BufferTraits& traits, std::span<const std::byte> captured,
          Random& random, std::vector<std::byte>& out, const Thresholds& thresholds = {});
/// A number at such a bound, a little or up to 8 times beyond it, or a little before it.
double near_threshold(double threshold, Random& random);
/// Any bits at all, apart from floats of mixed contents: what shows whether anything depends on them.
bool draw_any(const BufferTraits& traits, std::span<const std::byte> captured, Random& random,
              std::vector<std::byte>& out);

/// The value of type `T` whose bytes begin there, aligned or not.
template <class T>
T read_as(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// Whether a dword looks like a float somebody uses: a normal number between 1e-12 and 1e12.
bool looks_like_float(std::uint32_t bits);

}  // namespace rpl
