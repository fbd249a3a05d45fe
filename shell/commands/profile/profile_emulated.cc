// SPDX-License-Identifier: MIT
// profile on the emulated devices: runs, opens what was recorded, analyses it as far as was asked, and writes the documents.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "engine/base/monitor.h"
#include "engine/target/capabilities.h"
#include "engine/target/emu/emulated_run.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/commands/profile/profile_run.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/overview.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr double kRunNsPerMs = 1e6;

/// What all runs of the program left.
struct EmulatedRuns {
  profile::EmulatedOutcome first;  ///< whose recording is analysed
  std::vector<double> runtime_ms;  ///< sum of end - start over all dispatches, by run
  double emulation_s = 0;          ///< of the first
};

profile::EmulatedRequest emulated_request(const ProfilePlan& plan, const std::string& folder) {
  return {.argv = plan.argv,
          .gpu = plan.gpu,
          .devices = plan.devices,
          .folder = folder,
          .timeout = plan.timeout,
          .on_line = plan.on_line};
}

/// The later runs lie in folders of their own: the first one's recording is the one that counts.
Result<EmulatedRuns> run_all(Context& context, const ProfileRunArgs& args,
                             const ProfilePlan& plan) {
  EmulatedRuns out;
  profile::EmulatedRequest request = emulated_request(plan, plan.folder);
  request.counters = TRY(counters_to_record(args, TRY(profile::emulated_architecture(request))));
  request.trace_kernel = args.att;
  for (std::size_t i = 1; i <= plan.runs; ++i) {
    if (i > 1)
      request = emulated_request(plan, (fs::path(plan.folder) / fmt::format("run_{}", i)).string());
    if (plan.runs > 1) context.face().announce(fmt::format("run {} of {}", i, plan.runs));
    profile::EmulatedOutcome outcome = TRY(profile::run_emulated(request));
    TRY(keep_output(plan, outcome.exit, i));
    double kernels_ns = 0;
    for (const auto& process : outcome.processes) {
      kernels_ns += static_cast<double>(process.kernel_ns);
      if (i == 1) out.emulation_s += process.emulation_s;
    }
    out.runtime_ms.push_back(kernels_ns / kRunNsPerMs);
    const bool ended_well = outcome.exit.ok();
    if (i == 1) out.first = std::move(outcome);
    if (!ended_well) break;
  }
  return out;
}

std::vector<std::string> refused_of(const profile::EmulatedOutcome& outcome) {
  std::vector<std::string> out;
  for (const auto& process : outcome.processes)
    out.insert(out.end(), process.refused.begin(), process.refused.end());
  return out;
}

void add_remarks(const profile::EmulatedOutcome& outcome, Document& out) {
  if (!outcome.exit.ok()) {
    out.notes.push_back(
        outcome.exit.timed_out
            ? "the program was stopped after its time"
            : fmt::format("the program ended with status {}; what it did before is here",
                          outcome.exit.code));
    out.exit_code = outcome.exit.timed_out ? exit_status(Errc::timeout) : 1;
  }
  for (const auto& process : outcome.processes) {
    if (!process.failure.empty()) out.notes.push_back(process.failure);
    if (!process.complete) out.notes.push_back("a process ended without its last records");
  }
  const auto refused = refused_of(outcome);
  if (!refused.empty())
    out.notes.push_back(fmt::format("not supported, and asked for: {}", fmt::join(refused, ", ")));
}

Value run_record(const ProfilePlan& plan, const profile::EmulatedOutcome& outcome) {
  List refused;
  Value failure;
  bool complete = true;
  for (const std::string& name : refused_of(outcome)) refused.emplace_back(name);
  for (const auto& process : outcome.processes) {
    if (!process.failure.empty() && failure.is_null()) failure = Value(process.failure);
    complete = complete && process.complete;
  }
  return Value(Record{{"program", Value(command_line(plan.argv))},
                      {"code", plan.code.empty() ? Value() : Value(plan.code)},
                      {"target", Value("emu")},
                      {"gpu", Value(outcome.gpu)},
                      {"devices", Value(plan.devices)},
                      {"processes", Value(static_cast<std::uint64_t>(outcome.processes.size()))},
                      {"folder", Value(plan.folder)},
                      {"exit_code", Value(outcome.exit.code)},
                      {"complete", Value(complete)},
                      {"failure", failure},
                      {"refused", Value(std::move(refused))}});
}

Result<std::string> screen(const ProfilePlan& plan, const EmulatedRuns& runs,
                           const std::string& findings, const Loaded& now) {
  const auto stats = TRY(stats_of(now));
  std::string text =
      fmt::format("ran {} on {} x {}, emulated: every time below is modelled\n{}: {}\n",
                  command_line(plan.argv), plan.devices, runs.first.gpu, now.open->id(),
                  one_line(overview_of(*now.trace, *stats)));
  text += kernel_lines(now, *stats);
  if (runs.runtime_ms.size() > 1) text += stability_line(runs.runtime_ms) + "\n";
  text += findings;
  return text + fmt::format(
                    "wrote {}: profile.json roofline.json dag.json analysis.json, and the database",
                    plan.folder);
}

/// Opens the thread traces of a run, the last of which is current; whether there are any.
Result<bool> open_traces(Context& context, const profile::EmulatedOutcome& outcome) {
  bool any = false;
  for (const auto& process : outcome.processes) {
    for (const std::string& folder : process.thread_traces)
      TRY(thread_trace_named(context, folder));
    any |= !process.thread_traces.empty();
  }
  return any;
}

/// Runs the program again to trace the kernel that matters most. Its times count for nothing.
Result<bool> trace_dominant_kernel(Context& context, const ProfilePlan& plan,
                                   const Document& profile) {
  const Value* kernel = profile.get("kernel");
  const Value* name = kernel == nullptr ? nullptr : kernel->find("name");
  const auto* text = name == nullptr ? nullptr : name->as<std::string>();
  if (text == nullptr) return false;
  profile::EmulatedRequest request =
      emulated_request(plan, (fs::path(plan.folder) / "att").string());
  request.on_line = {};
  request.trace_kernel = *text;
  return open_traces(context, TRY(profile::run_emulated(request)));
}

std::string debug_note(const ProfilePlan& plan, const std::vector<std::string>& databases) {
  return fmt::format(
      "debug: {} with {} in front; {}; what it printed is in {}/stdout.txt and stderr.txt",
      command_line(plan.argv), profile::emulated_library().value_or("no library"),
      fmt::join(databases, " "), plan.folder);
}

}  // namespace

Result<Document> profile_emulated(Context& context, const ProfileRunArgs& args,
                                  const ProfilePlan& plan) {
  const EmulatedRuns runs = TRY(run_all(context, args, plan));
  std::vector<std::string> databases;
  for (const auto& process : runs.first.processes) databases.push_back(process.database);
  link_recording(plan.folder, databases.front());
  TRY(open_recordings(context, databases));
  bool traced = TRY(open_traces(context, runs.first));
  RooflineArgs analysis;
  static_cast<HardwareArgs&>(analysis) = args;
  Document out = TRY(profile_of_trace(context, analysis, args.focus_critical));
  if (args.deep_analysis && args.att.empty()) {
    traced = TRY(trace_dominant_kernel(context, plan, out));
    out = TRY(profile_of_trace(context, analysis, args.focus_critical));
  }
  set_stability(runs.runtime_ms, out, true);
  out.set("run", run_record(plan, runs.first));
  add_remarks(runs.first, out);
  note_untraced(args, traced, out);
  if (args.debug) out.notes.push_back(debug_note(plan, databases));
  if (profile::has_other_gpu(profile::this_machine()))
    out.notes.emplace_back(
        "the GPU of this machine is NVIDIA's, on which ROCm does not run: the program ran on the "
        "emulated device");
  TRY(write_profile_documents(context, analysis, plan, out));
  out.set("emulation_s", runs.emulation_s);
  out.text = TRY(screen(plan, runs, findings_text(args, out, traced, canvas_of(context).width),
                        TRY(loaded(context))));
  out.next = {"critpath", "info kernels", "classify", "timeline"};
  return out;
}

}  // namespace rpl
