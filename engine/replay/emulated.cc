// SPDX-License-Identifier: MIT
#include "engine/replay/emulated.h"

#include <cstring>

namespace rpl {
namespace {

Status check_image(const Capture& capture, const MemoryImage& memory) {
  if (memory.empty()) return {};
  bool fits = memory.size() == capture.regions.size();
  for (std::size_t i = 0; fits && i < memory.size(); ++i) {
    fits = memory[i].size() == capture.regions[i].size;
  }
  if (fits) return {};
  return fail(Errc::usage, "the memory to start from does not have the sizes of the regions");
}

Result<std::vector<const emu::Region*>> place_regions(emu::Memory& memory, const ReplayJob& job) {
  std::vector<const emu::Region*> placed;
  for (std::size_t i = 0; i < job.capture->regions.size(); ++i) {
    const CapturedRegion& region = job.capture->regions[i];
    const emu::Region* at = TRY(memory.allocate_at(region.base, region.size, region.name));
    const auto& bytes = job.memory.empty() ? region.before : job.memory[i];
    if (!bytes.empty()) std::memcpy(at->host, bytes.data(), bytes.size());
    placed.push_back(at);
  }
  return placed;
}

/// The explicit part alone: hidden arguments are made anew, since those of the captured process point to nothing here.
std::vector<std::byte> explicit_part(const Capture& capture, const isa::Kernel& kernel) {
  std::size_t end = 0;
  for (const auto& parameter : kernel.explicit_arguments()) {
    end = std::max<std::size_t>(end, parameter.offset + parameter.size);
  }
  const auto size = static_cast<std::ptrdiff_t>(std::min(end, capture.kernarg.size()));
  return {capture.kernarg.begin(), capture.kernarg.begin() + size};
}

}  // namespace

Result<ReplayRun> EmulatedReplayer::run(const ReplayJob& job) {
  const Capture& capture = *job.capture;
  emu::Launch launch;
  launch.object = job.object ? job.object : TRY(object_of(capture));
  launch.kernel = TRY(kernel_that_fits(capture, *launch.object, job.kernel));
  launch.grid = capture.grid;
  launch.workgroup = capture.workgroup;
  launch.dynamic_lds_bytes = capture.dynamic_lds_bytes;
  launch.arguments = explicit_part(capture, *launch.kernel);
  TRY(check_image(capture, job.memory));
  emu::Memory memory;
  const auto regions = TRY(place_regions(memory, job));
  ReplayRun run;
  emu::ExecuteOptions options = job.execute;
  if (options.parameters == nullptr) options.parameters = model_;
  run.executed = TRY(emu::execute(memory, launch, options));
  for (const emu::Region* region : regions) {
    run.memory.emplace_back(region->host, region->host + region->size);
  }
  return run;
}

}  // namespace rpl
