// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/bound.h"

namespace rpl {

/// What becomes of a faster candidate that needs more of the machine: rejected, accepted with a warning, or not looked at.
enum class ResourceGate { on, warn, off };
std::string_view to_string(ResourceGate gate);
std::optional<ResourceGate> resource_gate(std::string_view name);

/// What one build of a kernel uses. Unknown values are absent and compared with nothing.
struct ResourceUse {
  std::optional<double> time_ns = {};       ///< of a dispatch
  std::optional<double> vgprs = {};         ///< of a work-item
  std::optional<double> waves_per_cu = {};  ///< that fit on a compute unit at once
  std::optional<double> lds_bytes = {};     ///< static, of a workgroup
  std::optional<double> dram_bytes = {};  ///< read from and written to device memory by a dispatch
};

/// One resource that got worse by more than its limit.
struct ResourceFinding {
  std::string resource;          ///< "runtime", "vgprs", "occupancy", "lds", "dram-traffic"
  double before = 0, after = 0;  ///< in the unit of ResourceUse
  std::optional<double> change;  ///< (after − before) / before; none where there was nothing before
  double limit = 0;              ///< share that is allowed: 0.2
  std::string message;           ///< "51 -> 78 VGPRs: 53 % more, 20 % are allowed"

  /// A longer runtime is never let through, whatever the gate says.
  [[nodiscard]] bool always_gates() const { return resource == "runtime"; }
};

/// What got worse beyond its limit: runtime 5 %, VGPRs 20 %, occupancy 15 % (less), LDS 30 %, DRAM traffic 10 %. A resource that the baseline does not
/// use at all may not be used by the candidate.
std::vector<ResourceFinding> resource_findings(const ResourceUse& baseline,
                                               const ResourceUse& candidate);

/// As the evidence of a measurement keeps it: resource, before, after, change, limit, message.
Columns<ResourceFinding> bound(const ResourceFinding*);

}  // namespace rpl
