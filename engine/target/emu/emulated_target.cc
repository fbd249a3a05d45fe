// SPDX-License-Identifier: MIT
#include "engine/target/emu/emulated_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/device/cycle/parameters.h"
#include "engine/target/capabilities.h"
#include "engine/target/emu/emulated_run.h"

namespace rpl {
namespace {

using profile::EmulatedOutcome;
using profile::EmulatedProcess;

profile::EmulatedRequest emulated_request(const std::vector<std::string>& argv,
                                          const profile::EmulatedDevices& devices,
                                          std::string folder) {
  return {.argv = argv, .gpu = devices.gpu, .devices = devices.count, .folder = std::move(folder)};
}

/// All runs of a program: the first one's recording is what counts, the later ones lie in folders of their own.
class EmulatedRuns {
 public:
  EmulatedRuns(const ProfileRequest& request, const profile::EmulatedDevices& devices)
      : request_(request), devices_(devices) {
    out_.record = {.program = command_line(request.argv),
                   .code = request.code,
                   .target = TargetKind::emu,
                   .devices = devices.count,
                   .processes = 0,
                   .folder = request.folder};
  }

  Result<ProfileRun> all() {
    profile::EmulatedRequest first = of_folder("");
    first.trace_kernel = request_.trace_kernel;
    if (request_.counters) {
      for (auto& pass : TRY(request_.counters(TRY(profile::emulated_architecture(first)))))
        first.counters.insert(first.counters.end(), pass.begin(), pass.end());
    }
    take_first(TRY(run(first, 1)));
    for (std::size_t i = 2; i <= request_.runs && !out_.failed; ++i) {
      if (!TRY(run(of_folder(fmt::format("run_{}", i)), i)).exit.ok()) break;
    }
    add_notes();
    return std::move(out_);
  }

  /// Runs the program again for a thread trace alone. Its times count for nothing.
  Result<ProfileRun> trace() {
    profile::EmulatedRequest again = of_folder("att");
    again.on_line = {};
    again.trace_kernel = request_.trace_kernel;
    take_traces(TRY(profile::run_emulated(again)));
    return std::move(out_);
  }

 private:
  /// A run whose files go to a folder in that of the request; "": to that itself.
  [[nodiscard]] profile::EmulatedRequest of_folder(const std::string& name) const {
    profile::EmulatedRequest out = emulated_request(
        request_.argv, devices_,
        name.empty() ? request_.folder : (std::filesystem::path(request_.folder) / name).string());
    out.cwd = request_.cwd;
    out.timeout = request_.timeout;
    out.on_line = request_.on_line;
    return out;
  }

  Result<EmulatedOutcome> run(const profile::EmulatedRequest& request, std::size_t number) {
    if (request_.runs > 1 && request_.announce)
      request_.announce(fmt::format("run {} of {}", number, request_.runs));
    EmulatedOutcome outcome = TRY(profile::run_emulated(request));
    TRY(keep_output(request_.folder, outcome.exit, number));
    constexpr double kNsPerMs = 1e6;
    double kernels_ns = 0;
    for (const EmulatedProcess& process : outcome.processes)
      kernels_ns += static_cast<double>(process.kernel_ns);
    out_.runtime_ms.push_back(kernels_ns / kNsPerMs);
    return outcome;
  }

  void take_traces(const EmulatedOutcome& outcome) {
    for (const EmulatedProcess& process : outcome.processes)
      out_.thread_traces.insert(out_.thread_traces.end(), process.thread_traces.begin(),
                                process.thread_traces.end());
  }

  void take_first(EmulatedOutcome outcome) {
    out_.emulation_s = 0;
    for (const EmulatedProcess& process : outcome.processes) {
      out_.databases.push_back(process.database);
      *out_.emulation_s += process.emulation_s;
      if (out_.died_of.empty()) out_.died_of = process.failure;
      if (!process.failure.empty()) failures_.push_back(process.failure);
      if (!process.complete) failures_.emplace_back("a process ended without its last records");
      out_.record.complete = out_.record.complete && process.complete;
      out_.record.refused.insert(out_.record.refused.end(), process.refused.begin(),
                                 process.refused.end());
    }
    take_traces(outcome);
    out_.how = fmt::format("on {} x {}, emulated: every time below is modelled", devices_.count,
                           outcome.gpu);
    out_.record.gpu = std::move(outcome.gpu);
    out_.record.processes = outcome.processes.size();
    out_.record.exit_code = outcome.exit.code;
    out_.record.failure = out_.died_of;
    out_.failed = !outcome.exit.ok();
    out_.timed_out = outcome.exit.timed_out;
    out_.exit = std::move(outcome.exit);
  }

  void add_notes() {
    std::vector<std::string>& notes = out_.notes;
    if (out_.failed)
      notes.push_back(
          out_.timed_out
              ? "the program was stopped after its time"
              : fmt::format("the program ended with status {}; what it did before is here",
                            out_.exit.code));
    notes.insert(notes.end(), failures_.begin(), failures_.end());
    if (!out_.record.refused.empty())
      notes.push_back(
          fmt::format("not supported, and asked for: {}", fmt::join(out_.record.refused, ", ")));
    note_untraced(request_, out_);
    if (request_.debug)
      notes.push_back(fmt::format(
          "debug: {} with {} in front; {}; what it printed is in {}/stdout.txt and stderr.txt",
          out_.record.program, profile::emulated_library().value_or("no library"),
          fmt::join(out_.databases, " "), request_.folder));
    if (profile::has_other_gpu(profile::this_machine()))
      notes.emplace_back(
          "the GPU of this machine is NVIDIA's, on which ROCm does not run: the program ran on the "
          "emulated device");
  }

  const ProfileRequest& request_;
  const profile::EmulatedDevices& devices_;
  ProfileRun out_;
  std::vector<std::string> failures_;
};

}  // namespace

Result<ProfileRun> EmulatedTarget::profile(const ProfileRequest& request) {
  if (request.from_outside) return profile::profile_from_outside(request, options_.devices);
  EmulatedRuns runs(request, options_.devices);
  return request.only_trace ? runs.trace() : runs.all();
}

Result<CaptureRun> EmulatedTarget::capture(const CaptureRequest& request) {
  if (request.wish.kernel.empty() && !request.wish.slice)
    return fail(Errc::usage, "a kernel must be named on the emulated devices",
                "capture run KERNEL -- ./app");
  // The recording of the run is not what was asked for.
  const ScratchFolder scratch = TRY(ScratchFolder::make("capture"));
  profile::EmulatedRequest run = emulated_request(request.argv, options_.devices, scratch.path());
  run.capture = request.wish;
  run.timeout = request.timeout;
  run.on_line = request.on_line;
  EmulatedOutcome outcome = TRY(profile::run_emulated(run));
  CaptureRun out{.exit = std::move(outcome.exit), .gpu = std::move(outcome.gpu), .processes = {}};
  for (EmulatedProcess& process : outcome.processes) {
    auto found = process.captured.value_or(EmulatedProcess::Captured{});
    out.processes.push_back({.folder = std::move(found.folder),
                             .failure = std::move(found.failure),
                             .matches = found.matches,
                             .dispatches = std::move(process.dispatches)});
  }
  return out;
}

Result<std::string> EmulatedTarget::architecture_of(const std::vector<std::string>& argv) {
  return profile::emulated_architecture(emulated_request(argv, options_.devices, {}));
}

Status EmulatedTarget::takes(std::string_view architecture) const {
  const cycle::Parameters* gpu = options_.model.get();
  if (gpu == nullptr || gpu->arch == architecture) return {};
  return fail(
      Errc::usage,
      fmt::format("the code is for {}, {} is {}", architecture, gpu->product, gpu->arch),
      fmt::format("`set emu gpu none` or leaving --gpu out takes a GPU of {}", architecture));
}

Result<ReplaySeries> EmulatedTarget::replay(const ReplayPlan& plan) {
  return replay_emulated(plan, options_.model);
}

Result<ReserveReport> EmulatedTarget::reserve_check(const ReplayPlan& plan) {
  return ReserveReport{.ranges = page_ranges(*plan.capture, plan.host_regions, kHostPage),
                       .conflicts = {}};
}

}  // namespace rpl
