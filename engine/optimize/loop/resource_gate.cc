// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/resource_gate.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace rpl {
namespace {

struct Limit {
  std::string_view resource, noun;
  double allowed;
  bool less_is_worse;
  std::optional<double> ResourceUse::* use;
};

constexpr std::array<Limit, 5> kLimits{{
    {"runtime", "ns", 0.05, false, &ResourceUse::time_ns},
    {"vgprs", "VGPRs", 0.20, false, &ResourceUse::vgprs},
    {"occupancy", "waves on a compute unit", 0.15, true, &ResourceUse::waves_per_cu},
    {"lds", "bytes of LDS", 0.30, false, &ResourceUse::lds_bytes},
    {"dram-traffic", "bytes of DRAM traffic", 0.10, false, &ResourceUse::dram_bytes},
}};

constexpr auto kFinding = bound_to<ResourceFinding>(
    column<&ResourceFinding::resource>("resource"), column<&ResourceFinding::before>("before"),
    column<&ResourceFinding::after>("after"), column<&ResourceFinding::change>("change"),
    column<&ResourceFinding::limit>("limit"), column<&ResourceFinding::message>("message"));

std::string message_of(const Limit& limit, double before, double after) {
  constexpr double kHundred = 100;
  const std::string values = fmt::format("{:.0f} -> {:.0f} {}", before, after, limit.noun);
  if (before == 0) return fmt::format("{}: the baseline uses none", values);
  return fmt::format("{}: {:.0f} % {}, {:.0f} % are allowed", values,
                     std::abs(after - before) / before * kHundred,
                     limit.less_is_worse ? "fewer" : "more", limit.allowed * kHundred);
}

}  // namespace

std::string_view to_string(ResourceGate gate) {
  switch (gate) {
    case ResourceGate::on:
      return "on";
    case ResourceGate::off:
      return "off";
    case ResourceGate::warn:
      break;
  }
  return "warn";
}

std::optional<ResourceGate> resource_gate(std::string_view name) {
  for (const ResourceGate gate : {ResourceGate::on, ResourceGate::warn, ResourceGate::off}) {
    if (to_string(gate) == name) return gate;
  }
  return std::nullopt;
}

std::vector<ResourceFinding> resource_findings(const ResourceUse& baseline,
                                               const ResourceUse& candidate) {
  std::vector<ResourceFinding> out;
  for (const Limit& limit : kLimits) {
    const auto before = baseline.*limit.use, after = candidate.*limit.use;
    if (!before || !after) continue;
    const double worse = limit.less_is_worse ? *before - *after : *after - *before;
    if (worse <= limit.allowed * *before) continue;
    ResourceFinding finding{.resource = std::string(limit.resource),
                            .before = *before,
                            .after = *after,
                            .change = {},
                            .limit = limit.allowed,
                            .message = message_of(limit, *before, *after)};
    if (*before != 0) finding.change = (*after - *before) / *before;
    out.push_back(std::move(finding));
  }
  return out;
}

Columns<ResourceFinding> bound(const ResourceFinding*) { return kFinding; }

}  // namespace rpl
