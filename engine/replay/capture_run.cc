// SPDX-License-Identifier: MIT
#include "engine/replay/capture_run.h"

namespace rpl {
namespace {

std::vector<std::byte> bytes_of(const emu::Region& region) {
  return {region.host, region.host + region.size};
}

/// Fills regions and arguments from a placed run. Buffers lie in the order of the arguments, so regions ascend.
void add_arguments(const emu::KernelRun& run, const emu::PlacedRun& placed, Capture& capture) {
  const auto parameters = placed.launch.kernel->explicit_arguments();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    CapturedArgument argument{.kernarg_offset = parameters[i].offset,
                              .kernarg_size = parameters[i].size};
    if (const emu::Region* region = placed.buffers[i]) {
      const auto& buffer = std::get<emu::BufferArgument>(run.arguments[i]);
      argument.buffer = true;
      argument.region = capture.regions.size();
      argument.element = buffer.element;
      argument.count = buffer.count;
      capture.regions.push_back({.base = region->base,
                                 .size = region->size,
                                 .name = region->name,
                                 .before = bytes_of(*region),
                                 .after = std::nullopt});
    } else {
      argument.element = std::get<emu::ValueArgument>(run.arguments[i]).element;
    }
    capture.arguments.push_back(argument);
  }
}

}  // namespace

Result<Capture> capture_run(const emu::KernelRun& run, emu::KernelOutcome* outcome) {
  emu::Memory memory;
  const emu::PlacedRun placed = TRY(emu::place(memory, run));
  Capture capture;
  capture.kernel = placed.launch.kernel->name;
  capture.architecture = to_string(run.object->arch());
  capture.grid = run.grid;
  capture.workgroup = run.workgroup;
  capture.dynamic_lds_bytes = run.dynamic_lds_bytes;
  capture.kernarg = TRY(emu::kernarg_of(placed.launch));
  capture.code_object.assign(run.object->bytes().begin(), run.object->bytes().end());
  capture.target = "emu";
  add_arguments(run, placed, capture);
  auto executed = TRY(emu::execute(memory, placed.launch, run.options));
  capture.has_after = true;
  if (executed.modelled) capture.model = executed.modelled->model;
  for (const emu::Region* region : placed.buffers) {
    if (outcome != nullptr)
      outcome->buffers.push_back(region ? bytes_of(*region) : std::vector<std::byte>{});
  }
  for (std::size_t i = 0; i < capture.arguments.size(); ++i) {
    if (!capture.arguments[i].buffer) continue;
    CapturedRegion& region = capture.regions[capture.arguments[i].region];
    auto after = bytes_of(*placed.buffers[i]);
    if (after != region.before) region.after = std::move(after);
  }
  if (outcome != nullptr) outcome->executed = std::move(executed);
  return capture;
}

}  // namespace rpl
