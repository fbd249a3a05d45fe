// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "engine/device/cycle/launch_time.h"
#include "engine/device/execute/launch/program.h"
#include "engine/device/hip/graph.h"
#include "engine/device/hip/runtime.h"

namespace rpl::emu::hip {
namespace {

Code code_of(const Error& error) {
  switch (error.code) {
    case Errc::usage:
      return Code::invalid_configuration;
    case Errc::unsupported:
      return Code::not_supported;
    case Errc::verification_failed:
      return Code::illegal_address;
    default:
      return Code::launch_failure;
  }
}

constexpr double kUntimedNs = 1000;  ///< what every launch takes where none is timed

/// What a launch takes of its device.
DeviceLoad load_of(const Executed& done, const DeviceKind& kind) {
  const double places = static_cast<double>(done.modelled->resident_waves) * kind.compute_units;
  const cycle::SharedBandwidth& shared = done.modelled->shared;
  return {
      .places = places <= 0 ? 1.0 : std::min(1.0, static_cast<double>(done.counts.waves) / places),
      .bandwidths = {shared.l2, shared.mall, shared.memory}};
}

std::uint32_t items_of(const Size3& workgroup) {
  return workgroup[0] * workgroup[1] * workgroup[2];
}

std::uint64_t workgroups_of(const LaunchRequest& request) {
  std::uint64_t out = 1;
  for (std::size_t i = 0; i < 3; ++i)
    out *= (std::uint64_t{request.grid[i]} + request.workgroup[i] - 1) / request.workgroup[i];
  return out;
}

bool asks_host(const isa::Kernel& kernel) {
  return std::ranges::any_of(kernel.arguments, [](const auto& argument) {
    return argument.value_kind == "hidden_hostcall_buffer";
  });
}

}  // namespace

Result<arch::Occupancy> Runtime::occupancy(const Function& function, std::uint32_t items,
                                           std::uint32_t dynamic_lds_bytes) const {
  const isa::Kernel& kernel = *function.kernel;
  const std::uint32_t total = kernel.descriptor.vgprs;
  return arch::occupancy(settings_.kind.gpu, {.total_vgprs = total,
                                              .sgprs = kernel.sgprs,
                                              .lds_bytes = kernel.lds_bytes + dynamic_lds_bytes,
                                              .workgroup_size = items});
}

bool Runtime::fits_at_once(const LaunchRequest& request) const {
  const auto fit =
      occupancy(*request.function, items_of(request.workgroup), request.dynamic_lds_bytes);
  return fit && workgroups_of(request) <= std::uint64_t{fit->workgroups} * kind().compute_units;
}

Code Runtime::failed(const Error& error, const Function& function) {
  const Code code = code_of(error);
  // Faults name the kernel themselves.
  const std::string name = short_kernel(function.kernel->name);
  const bool named = error.message.starts_with(name);
  const std::string text = fmt::format("kernel {}{}{}", named ? "" : name + ": ", error.message,
                                       error.hint.empty() ? "" : "; " + error.hint);
  if (code == Code::invalid_configuration) return code;
  if (error.code == Errc::unsupported) refuse(text);
  failure_text_ = text;
  failure_ = code;
  std::fflush(stdout);
  std::fputs(fmt::format("rpl: emulated device: {}\n", text).c_str(), stderr);
  return code;
}

std::string Runtime::record_path() const {
  return fmt::format("{}/{}.launch", settings_.records_folder, launches_);
}

Result<std::optional<Executed>> Runtime::timed_again(const LaunchRequest& request) {
  if (settings_.records_folder.empty()) return std::nullopt;
  auto record = cycle::read_record(record_path());
  if (!record && record.error().code == Errc::not_found) return std::nullopt;
  if (!record) return std::move(record).failure();
  const std::uint64_t workgroups = workgroups_of(request);
  if (record->gpu != settings_.kind.product || record->workgroups != workgroups ||
      record->instructions.size() != request.function->program->ops.size())
    return fail(Errc::corrupt,
                fmt::format("{} is the record of another launch or GPU", record_path()),
                "set RPL_EMU_LAUNCH_RECORDS to an empty folder");
  const cycle::LaunchTime timed = TRY(cycle::time_launch(*record, *parameters_, false));
  Executed out;
  out.counts.waves = std::uint64_t{record->workgroups} * record->waves;
  out.program = request.function->program;
  Modelled modelled;
  modelled.model = parameters_->name;
  modelled.cycles = timed.cycles;
  modelled.time_class = timed.time_class;
  modelled.bands = parameters_->bands;
  modelled.shared = timed.shared;
  constexpr double kNsPerUs = 1000;
  modelled.time_ns = static_cast<double>(timed.cycles) / parameters_->clock_mhz * kNsPerUs;
  modelled.resident_waves =
      cycle::resident_workgroups(*parameters_, record->waves, record->vgprs, record->lds_bytes) *
      record->waves;
  out.modelled = std::move(modelled);
  return out;
}

Result<Executed> Runtime::carry_out(const Launch& launch, const LaunchRequest& request) {
  const bool beyond = settings_.bounds == AddressSpace::Bounds::page;
  if (settings_.untimed) {
    Executed untimed = TRY(
        execute(space_.memory(), launch, {.mode = Mode::functional, .reads_beyond_lds = beyond}));
    untimed.modelled.emplace();
    untimed.modelled->time_ns = kUntimedNs;
    return untimed;
  }
  const std::uint32_t device = request.stream->device;
  Executed done =
      TRY(execute(space_.memory(), launch,
                  {.mode = Mode::modelled,
                   .reads_beyond_lds = beyond,
                   .gpu = settings_.kind.product,
                   .parameters = parameters_,
                   .memory_state = memory_states_.empty() ? nullptr : memory_states_[device],
                   .keep_trace = wants_trace(*request.function->kernel),
                   .keep_record = recording_ || !settings_.records_folder.empty(),
                   .count_boundary = recording_ && !settings_.counters.empty()}));
  if (settings_.records_folder.empty()) return done;
  if (const Status written = cycle::write_record(*done.record, record_path()); !written)
    return fail(written.error().code, written.error().message,
                "set RPL_EMU_LAUNCH_RECORDS to a folder that exists");
  return done;
}

Code Runtime::launch(ThreadState& thread, LaunchRequest request) {
  if (failure_ != Code::success) return failure_;
  if (request.stream == nullptr) return request.cooperative ? kNoStream : Code::invalid_value;
  if (request.function == nullptr) return Code::invalid_device_function;
  if (request.stream->capture != nullptr) {
    Stream& captured = *request.stream;
    return captures(captured, {std::move(request)}) ? Code::success : Code::invalid_value;
  }
  Function& function = *request.function;
  Module& module = *function.module;
  Stream& stream = *request.stream;
  const auto base = module.load(space_, stream.device);
  if (!base) return failed(base.error(), function);
  if (!function.program) function.program = make_program(*module.object(), *function.kernel);
  Launch launch{.object = module.object(),
                .kernel = function.kernel,
                .grid = request.grid,
                .workgroup = request.workgroup,
                .dynamic_lds_bytes = request.dynamic_lds_bytes,
                .arguments = std::move(request.arguments),
                .load_base = *base,
                .program = function.program};
  if (asks_host(*function.kernel))
    launch.hidden.emplace_back("hidden_hostcall_buffer", hostcall_.buffer());
  // Without an entry the launch gives the kernel what its workgroups meet at.
  if (!request.cooperative) launch.hidden.emplace_back("hidden_multigrid_sync_arg", 0);
  ++launches_;
  auto before = timed_again(request);
  if (!before) return failed(before.error(), function);
  // What was not executed has no results to freeze, and nothing to record.
  const bool executes = !before->has_value();
  const bool captured = executes && capturer_.is_due(*function.kernel, launch.grid);
  if (captured) capturer_.begin(space_, launch);
  const auto done = executes ? carry_out(launch, request) : Result<Executed>(std::move(**before));
  const bool outside = space_.reached_host_memory();
  space_.forget_host_memory();
  if (!done && captured) capturer_.abandon(done.error().message);
  if (!done) return failed(done.error(), function);
  // Where that memory begins and ends, and what it held before, is not known.
  if (captured && outside)
    capturer_.abandon("the kernel used memory of the host that HIP does not know (XNACK)");
  else if (captured)
    capturer_.finish(space_, done->modelled->model);
  emulation_s_ += done->emulation_s;
  for (const std::string& name : hostcall_.take_unknown()) refuse(name);

  const auto duration = std::max<std::int64_t>(1, std::llround(done->modelled->time_ns));
  capturer_.ran(*function.kernel, launch.grid, duration);
  const std::int64_t ready = std::max(ready_on(stream, costs().dispatch_latency_ns),
                                      stream.ready_ns + costs().dispatch_gap_ns);
  timelines_[stream.device].forget_before(now_);
  const Span span =
      timelines_[stream.device].place_kernel(ready, duration, load_of(*done, settings_.kind));
  stream.ready_ns = span.end;
  for (Event* event : {request.before, request.after}) {
    if (event == nullptr) continue;
    event->recorded = true;
    event->time_ns = event == request.before ? span.start : span.end;
  }
  if (executes) record_dispatch(place_of(thread, stream, span), request, *done);
  return Code::success;
}

}  // namespace rpl::emu::hip
