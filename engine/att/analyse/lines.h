// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/read/wave_facts.h"

/// Cycles by source line.
namespace rpl::att {

/// One location of an inlined chain.
struct Place {
  std::string file;  ///< as the debug information has it; "" for none
  std::int64_t line = 0;
  bool operator==(const Place&) const = default;
  auto operator<=>(const Place&) const = default;
};

/// "leaf:7 -> caller:20" as places, the innermost first. Split at " -> " and at the last colon of each part; empty for no source.
std::vector<Place> chain_of(std::string_view source);

/// Which place of a chain an instruction counts for.
enum class Inlining {
  leaf,    ///< where the instruction was written: each counts once
  caller,  ///< the outermost place, in the kernel itself: each counts once
  all,     ///< every place of the chain: sums over lines exceed the total
};

/// One source line and what its instructions cost.
struct LineCost {
  Place place;  ///< file "" for instructions without a source
  Cost cost;
  Samples samples;
  std::vector<std::uint32_t> rows;  ///< of the listing
  std::vector<std::string>
      chains;  ///< distinct chains of more than one place that lead through it, at most 4
};

/// By latency, then samples, largest first; lines without cost come last, by place.
std::vector<LineCost> lines_of(const CodeTable& code, Inlining inlining);

/// The last part of a path.
std::string_view file_name_of(std::string_view path);

}  // namespace rpl::att
