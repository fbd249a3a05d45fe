// SPDX-License-Identifier: MIT
#include "engine/device/findings/repair.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpl::findings {

Repair repair_of(Cause cause) {
  constexpr double kLess =
      0.08;  // what a repair costs is in the parts, or it does what the ideal does
  switch (cause) {
    case Cause::uncoalesced_load:  // the same bytes in another order
    case Cause::uncoalesced_store:
    case Cause::channel_camping:
    case Cause::xcd_placement:
    case Cause::bank_conflicts:
    case Cause::small_grid:
    case Cause::lds_limited:
    case Cause::invariant_loads:
    case Cause::redundant_stores:
    case Cause::strict_waits:
      return {.around = kLess};
    case Cause::contended_atomics:  // values are added up before, which takes a step of its own
      return {.least = 0.9, .around = kLess};
    case Cause::redundant_loads:  // LDS or registers
      return {.least = 0.5};
    case Cause::
        matrix_units_idle:  // values must be brought into their layout, which the LDS and the L2 may not give as fast
      return {.least = 0.65, .around = kLess, .usual = 0.85};
    case Cause::spills:  // LDS, or computing again
      return {.least = 0.7, .around = kLess};
    case Cause::
        divergence:  // both sides for all, or a sorted order, which costs accesses of its own
      return {.least = 0.65, .around = kLess, .usual = 0.85};
    case Cause::load_imbalance:  // pieces have ends of their own
      return {.least = 0.85, .around = kLess};
    case Cause::integer_division:  // masks, or counters that are carried along
      return {.least = 0.9, .around = kLess};
    case Cause::dependency_chain:  // several chains take turns; or the links are not loaded at all
      return {.least = 0.9, .most = 1.3, .around = kLess};
    case Cause::double_precision:  // how much shorter the functions of float are differs
      return {.most = 1.3};
    case Cause::transcendentals:  // and so do fast variants
      return {.least = 0.9, .most = 1.4, .around = kLess};
    default:
      return {};
  }
}

Repair repair_of_branches() { return {.least = 0.7, .most = 1.1, .around = 0.06, .usual = 0.85}; }

Repair repair_of_left_loops() {
  return {.least = 0.35, .most = 1.15, .around = 0.08, .usual = 0.85};
}

Repair repair_of_shared_loads() { return {.least = 0.5, .most = 1.5, .around = 0.08}; }

Worth worth_of(const Repair& usual, double worth, const Beside& beside) {
  const Repair& repair = beside.repair ? *beside.repair : usual;
  const double high = std::min(1.0, std::max(beside.most, repair.most * worth));
  const double around = beside.is_other ? kAround : repair.around;
  const double by = std::min(around, std::max(high, kWorthTelling));
  double low = repair.least * worth - by;
  // What is left when nearly all is saved is small beside what was there, whatever a repair costs: at the most so many times what the ideal leaves.
  constexpr double kLeaves = 4, kAsTheIdeal = 0.85;
  if (repair.least >= kAsTheIdeal) low = std::max(low, 1 - kLeaves * (1 - worth));
  low = std::max(low, beside.least - by);
  return {.low = std::max(0.0, low), .high = std::min(1.0, high + by)};
}

std::string remedy_of_divisions(std::string_view place) {
  return fmt::format(
      "divide less exactly at {}: multiply by a reciprocal that is computed once, or use "
      "__fdividef; an exact division takes ten instructions",
      place);
}

}  // namespace rpl::findings
