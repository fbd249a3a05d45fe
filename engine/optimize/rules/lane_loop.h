// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/optimize/rules/kernel_text.h"

/// Loops whose turns the lanes of a wave may share out among themselves: each turn writes elements of its own, and what they have in common are sums, products and extremes.
namespace rpl::rules {

/// A variable that every turn adds to, and that exists before the loop.
struct Accumulator {
  enum class Kind { sum, product, extreme };
  Kind kind = Kind::sum;
  std::string_view name;
  std::string_view function = {};      ///< of an extreme: "fmaxf"
  std::int64_t elements = 0;           ///< of an array of registers; 0: a single number
  std::string element = {};            ///< type of the array's elements
  std::vector<std::size_t> uses = {};  ///< tokens of the name in the loop
};

struct LaneLoop {
  const SourceLoop* loop = nullptr;
  CountedLoop shape;
  std::vector<Accumulator> accumulators;
  bool stores = false;         ///< elements of memory
  std::string why_not = {};    ///< one sentence; "" for a loop whose turns can be shared out
  bool changes_outer = false;  ///< of one that cannot: it assigns what exists outside of it
  std::vector<std::string> apart = {};  ///< what has to hold besides: sentences
};

/// Looks at one loop of the kernel. What it calls besides functions that compute values from values, barriers and their kin, early exits and other steps than one are in the way.
LaneLoop lane_loop(const KernelCase& on, const SourceLoop& loop,
                   const std::vector<ElementPointer>& pointers);

/// Whether tokens [begin, end) store to memory through one of the pointers; to anything that is not a pointer that is understood, too.
bool stores_in(const KernelCase& on, const std::vector<ElementPointer>& pointers, std::size_t begin,
               std::size_t end);

/// The elements of `T name[N]` that the kernel's body declares; 0 for none, or a number that cannot be told.
std::int64_t elements_of(const KernelCase& on, std::string_view name, std::string* type = nullptr);

}  // namespace rpl::rules
