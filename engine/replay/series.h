// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/capture/launch_plan.h"
#include "engine/replay/images.h"

/// A capture run many times.
namespace rpl {

struct ReplayPlan {
  const Capture* capture = nullptr;  ///< must outlive the call
  std::string folder = {};  ///< where the capture lies, for targets that run in another process
  std::shared_ptr<const isa::CodeObject> object = nullptr;  ///< null: the captured one
  std::shared_ptr<const isa::CodeObject> other =
      nullptr;  ///< a second build to run in between, see `sides`; not on the emulated device
  std::vector<bool> sides =
      {};  ///< by iteration: runs `other`; with `other` as long as `iterations`, and beginning with `object`
  std::string kernel = {};                    ///< empty: the captured name
  LaunchPlan launch = {}, other_launch = {};  ///< of `object` and `other`; empty: as captured
  FusionPlan fusion = {};                     ///< see ReplayJob
  MemoryImage memory =
      {};  ///< what the regions hold first; empty: `before` of the capture; not on a GPU
  bool keep_memory = false;     ///< ReplaySeries::memory is filled, `image` is not; not on a GPU
  std::int64_t iterations = 1;  ///< from 1
  std::int64_t warmup = 0;      ///< runs before them that are not kept
  bool recopy = true;           ///< memory is restored before each iteration
  bool cold = false;  ///< caches are emptied before each iteration; not on the emulated device
  std::vector<std::size_t> host_regions = {};  ///< regions that lay in memory of the host
  std::chrono::milliseconds timeout{0};        ///< for setting up, and for each run; 0: a usual one
  emu::ExecuteOptions execute = {};            ///< of the emulated device
};

/// What only a replay on a GPU knows.
struct DeviceRun {
  std::string agent, product;           ///< "gfx942"
  std::string runtime_version;          ///< of HSA, "1.14"
  std::string rocm_version = {};        ///< of the installation; empty for unknown
  std::int64_t pid = 0;                 ///< of the process that ran it
  double ticks_per_s = 0;               ///< of the time stamps
  std::string kernarg_placement;        ///< where the arguments lay: "host"
  std::uint64_t load_base = 0;          ///< where the code lay
  std::vector<std::string> placements;  ///< by region: device, host, variable, or absent
  std::uint64_t restored_bytes = 0;     ///< before each iteration
  double setup_ns = 0,
         restore_ns = 0;  ///< host time: until the first iteration, and of restoring before one
  std::vector<double>
      host_ns;       ///< by iteration: from ringing the doorbell to the completion signal
  int attempts = 1;  ///< processes that were started until memory could be placed
};

struct ReplaySeries {
  std::string kernel;
  std::vector<double> raw_ns;  ///< time of each iteration, in order
  std::vector<double> each_ns =
      {};  ///< of captures of several dispatches: the time of each, in the last iteration
  std::string time_source;  ///< "modelled" or "measured"
  ImageComparison image;    ///< memory after the first iteration against the capture
  std::map<std::size_t, std::vector<std::byte>>
      differing;  ///< memory after it, of the regions that differ
  std::map<std::size_t, std::vector<std::byte>> other_differing =
      {};                   ///< likewise after the last run of ReplayPlan::other
  MemoryImage memory = {};  ///< after the last iteration, where the plan keeps it
  std::optional<bool> last_equals_first =
      std::nullopt;  ///< of stateless replays with several iterations: memory after both
  std::vector<std::string> notes;
  std::optional<emu::Executed> executed =
      std::nullopt;  ///< of the last iteration on the emulated device
  std::optional<DeviceRun> device = std::nullopt;
};

/// On the emulated device. `model`: see replay_once().
Result<ReplaySeries> replay_emulated(
    const ReplayPlan& plan, const std::shared_ptr<const cycle::Parameters>& model = nullptr);

/// Of a sample, in its unit. Percentiles interpolate between neighbours; the deviation is that of a sample (n − 1), 0 for one value.
struct SampleStatistics {
  double mean = 0, min = 0, max = 0, median = 0, p5 = 0, p95 = 0, stdev = 0;
};
/// Nothing for an empty sample.
std::optional<SampleStatistics> statistics_of(std::vector<double> values);

}  // namespace rpl
