// SPDX-License-Identifier: MIT
// Any bytes as raw samples: what is taken can be decided on, errors name the line.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/optimize/measure/decision.h"
#include "engine/optimize/measure/samples.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto groups = rpl::parse_raw_samples({reinterpret_cast<const char*>(data), size});
  if (!groups) {
    require(groups.error().code == rpl::Errc::corrupt || groups.error().code == rpl::Errc::limit);
    return 0;
  }
  for (const rpl::RecordedSamples& group : *groups) {
    const auto decision = rpl::decide_in_looks(group.samples, {}, {});
    require(decision.has_value());
    require(decision->ci_low <= decision->ci_high);
    const bool enough = group.samples.processes.size() >= rpl::kFewestProcesses;
    require(enough || decision->verdict == rpl::Verdict::undecided);
    require(rpl::noise_floor(group.samples, 5).has_value() == enough);
  }
  return 0;
}
