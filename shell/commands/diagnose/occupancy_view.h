// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/arch/occupancy.h"
#include "shell/core/command/define.h"
#include "shell/core/session/inputs.h"
#include "shell/core/terminal/terminal.h"

/// Whose occupancy the commands `occupancy` and `plot occupancy` show: kernels of the trace, of a code object, or one of options alone.
namespace rpl {

/// Options of such commands, which derive their arguments from it.
struct OccupancyArgs {
  std::string kernel, object, arch;
  std::optional<std::int64_t> vgpr, agpr, sgpr, lds, workgroup, wave_size;
  bool wgp = false;

  [[nodiscard]] bool calculates() const {
    return vgpr || agpr || sgpr || lds || workgroup || wave_size || wgp;
  }
};

/// One kernel, whatever it came from.
struct OccupancySubject {
  std::optional<std::string> id, kernel, name;
  std::string title;  ///< of the detailed view
  arch::KernelResources resources;
  std::uint32_t vgprs = 0;  ///< total used
  Result<arch::Occupancy> occupancy = arch::Occupancy{};
  std::optional<double> grid_cap;
  std::optional<std::uint64_t> workgroups;  ///< of the grid
  std::optional<std::uint32_t> configurations;
};

struct OccupancyView {
  std::vector<OccupancySubject> subjects;  ///< of a trace: the longest total first
  bool one = false;                        ///< one kernel was asked for; its occupancy is known
  std::vector<std::string> notes, next;
};

/// Fails when what was named is not there, and for one kernel when its occupancy is not known.
Result<OccupancyView> occupancy_view(const Inputs& inputs, const OccupancyArgs& args);

/// Whether the grid leaves more wave slots empty than the resources of a kernel.
bool grid_limits(const OccupancySubject& subject);
std::string grid_text(const OccupancySubject& subject);
/// The first change worth making and what it gives; "" for none.
std::string next_step(const OccupancySubject& subject);

/// "4 of 32 waves on a CU: 1 workgroup of 256 work-items (4 waves of 64), 12.5 %", of a known occupancy.
std::string occupancy_line(const OccupancySubject& subject);
/// One kernel: the limit of each resource, and every step.
std::string occupancy_text(const OccupancySubject& subject);

/// The options of OccupancyArgs itself.
std::vector<Bound> occupancy_options();

/// The same behind a command's own.
template <class Args>
std::vector<Bound> with_occupancy(std::vector<Bound> own) {
  return joined(std::move(own), inherited<Args, OccupancyArgs>(occupancy_options()));
}

}  // namespace rpl
