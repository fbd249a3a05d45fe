// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>

#include "engine/trace/core/call_sites.h"
#include "engine/trace/core/entities.h"

namespace rpl {

/// What can be asked about a recording beside its dispatches. Each has a price in pages of its files (Trace::price), which is paid
/// when it is first asked for; who asks for less pays less.
enum class Fact : std::uint8_t {
  copy_places,  ///< copies: when, where, what kind; neither amounts nor correlation ids
  copy_calls,   ///< the same with the correlation ids of the calls that issued them
  copies,       ///< everything about copies
  calls,        ///< API calls, and the correlation ids of dispatches
  orders,  ///< what waited for what: records, waits, synchronisation, with what calls were given
  markers,
  counters,
  call_sites,  ///< from where in the program calls were made
};
inline constexpr std::size_t kFacts = 8;

class FactSet {
 public:
  constexpr FactSet() = default;
  constexpr FactSet(std::initializer_list<Fact> facts) {
    for (const Fact fact : facts) add(fact);
  }
  constexpr void add(Fact fact) { bits_ |= 1U << static_cast<unsigned>(fact); }
  constexpr void add(const FactSet& facts) { bits_ |= facts.bits_; }
  [[nodiscard]] constexpr bool has(Fact fact) const {
    return (bits_ >> static_cast<unsigned>(fact) & 1U) != 0;
  }

 private:
  std::uint32_t bits_ = 0;
};

/// What was asked for; nullptr for the rest. Tables belong to the trace and stay.
struct Facts {
  const CopyTable* copies = nullptr;
  const ApiTable* calls = nullptr;
  const SyncTable* orders = nullptr;
  const MarkerTable* markers = nullptr;
  const CounterTable* counters = nullptr;
  const CallSiteTable* call_sites = nullptr;
};

}  // namespace rpl
