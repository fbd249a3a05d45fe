// SPDX-License-Identifier: MIT
// What the runtime writes down of launches: dispatches, kernels, counters, thread traces.
#include <algorithm>

#include "engine/base/text.h"
#include "engine/device/execute/launch/hardware_counters.h"
#include "engine/device/findings/finding.h"
#include "engine/device/hip/runtime.h"
#include "engine/device/record/write_trace.h"

namespace rpl::emu::hip {
void Runtime::record_dispatch(const Place& place, LaunchRequest& request, const Executed& done) {
  ++dispatches_;
  if (!recording_) return;
  const isa::Kernel& kernel = *request.function->kernel;
  recording_->add(DispatchRecord{.place = place,
                                 .id = dispatches_,
                                 .kernel = record_kernel(*request.function, place.device),
                                 .workgroup = request.workgroup,
                                 .grid = request.grid,
                                 .lds_bytes = kernel.lds_bytes + request.dynamic_lds_bytes,
                                 .scratch_bytes = kernel.scratch_bytes,
                                 .model = done.modelled->model,
                                 .low_ns = done.modelled->low_ns().value_or(0),
                                 .high_ns = done.modelled->high_ns().value_or(0),
                                 .ratio_band = ratio_band(done, done).value_or(0),
                                 .findings = findings_of(*request.function, done)});
  if (!settings_.counters.empty()) record_counts(done);
  if (done.trace) record_trace(kernel, place.device, done);
}

// Of the first dispatch of a kernel, and of those that take far longer than it.
std::string Runtime::findings_of(const Function& function, const Executed& done) {
  constexpr double kFarLonger = 1.25;
  double& longest = found_ns_[function.kernel->name];
  if (done.record == nullptr || done.modelled->time_ns < kFarLonger * longest) return {};
  std::vector<findings::FarMemory> far;
  for (const auto& [base, one] : space_.allocations()) {
    if (one.kind != Allocation::Kind::device)
      far.push_back({.begin = base,
                     .end = base + one.bytes,
                     .managed = one.kind == Allocation::Kind::managed});
  }
  const auto found = findings::find(done, *function.module->object(), *parameters_, far);
  if (!found) {
    refuse("findings of " + function.kernel->name + ": " + found.error().message);
    return {};
  }
  longest = done.modelled->time_ns;
  return findings::to_json(*found);
}

void Runtime::record_counts(const Executed& done) {
  CountsRecord counts{.dispatch = dispatches_, .values = {}};
  for (const HardwareCounter& counter : hardware_counters(done)) {
    if (std::ranges::find(settings_.counters, counter.name) == settings_.counters.end()) continue;
    const auto next = static_cast<std::uint32_t>(counter_ids_.size() + 1);
    const auto [known, added] = counter_ids_.try_emplace(counter.name, next);
    if (added)
      recording_->add(CounterRecord{.id = next,
                                    .name = counter.name,
                                    .meaning = counter.meaning,
                                    .modelled = counter.modelled});
    counts.values.push_back({.counter = known->second, .value = counter.value});
  }
  recording_->add(counts);
}

bool Runtime::wants_trace(const isa::Kernel& kernel) const {
  if (!recording_ || settings_.trace_kernel.empty() || traced_.contains(kernel.name)) return false;
  return kernel.name == settings_.trace_kernel ||
         demangled(kernel.name).find(settings_.trace_kernel) != std::string::npos;
}

// A trace that cannot be written is said, and does not end the program.
void Runtime::record_trace(const isa::Kernel& kernel, std::uint32_t device, const Executed& done) {
  traced_.insert(kernel.name);
  auto trace = calibrate::modelled_trace(done);
  if (!trace) return refuse("thread trace of " + kernel.name + ": " + trace.error().message);
  trace->agent = device + 1;
  trace->number = dispatches_;
  const auto decoded = att::write_trace(settings_.trace_folder, *trace);
  if (!decoded) return refuse("thread trace of " + kernel.name + ": " + decoded.error().message);
  recording_->add(TraceRecord{.dispatch = dispatches_,
                              .kernel = kernel.name,
                              .folder = decoded->substr(decoded->rfind('/') + 1)});
}

std::uint64_t Runtime::record_kernel(Function& function, std::uint32_t device) {
  if (function.recorded[device] != 0) return function.recorded[device];
  Module& module = *function.module;
  record_module(module, device);
  const isa::Kernel& kernel = *function.kernel;
  // As the descriptor's fields say it to profilers: all registers of a wave, of which the accumulation ones begin at first_agpr.
  const std::uint32_t total = kernel.descriptor.vgprs,
                      first = std::min(kernel.descriptor.first_agpr, total);
  const isa::Symbol* descriptor = module.object()->symbol(kernel.symbol);
  function.recorded[device] = ++kernel_ids_;
  const std::uint32_t granule = isa::traits(settings_.kind.arch).sgpr_granule;
  recording_->add(KernelRecord{
      .id = kernel_ids_,
      .object = module.recorded[device],
      .name = kernel.name,
      .descriptor = descriptor == nullptr ? 0 : *module.load_base(device) + descriptor->address,
      .kernarg_bytes = kernel.kernarg_bytes,
      .lds_bytes = kernel.lds_bytes,
      .scratch_bytes = kernel.scratch_bytes,
      .sgprs = (kernel.sgprs + granule - 1) / granule * granule,
      .vgprs = first,
      .agprs = total - first});
  return function.recorded[device];
}

}  // namespace rpl::emu::hip
