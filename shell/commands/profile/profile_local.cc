// SPDX-License-Identifier: MIT
// profile on an AMD GPU: runs the program under rocprofv3, opens what it recorded, and writes the documents.
#include "shell/commands/profile/profile_local.h"

#include <fmt/format.h>

#include "shell/commands/profile/profile_files.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/overview.h"

namespace rpl {
namespace {

std::string product_of(const Trace& trace) {
  const std::uint32_t agent = busiest_agent(trace);
  if (agent == kNone) return {};
  const Agent& found = trace.entities().agents[agent];
  return found.product.empty() ? found.arch : found.product;
}

Value local_run_record(const ProfilePlan& plan, const LocalRuns& runs, const Trace& trace) {
  const auto& first = runs.first();
  const std::string gpu = product_of(trace);
  return Value(
      Record{{"program", Value(command_line(plan.argv))},
             {"code", plan.code.empty() ? Value() : Value(plan.code)},
             {"target", Value("local")},
             {"gpu", gpu.empty() ? Value() : Value(gpu)},
             {"devices", Value()},
             {"processes", Value(std::uint64_t{first.databases.size()})},
             {"folder", Value(plan.folder)},
             {"exit_code", Value(first.exit.code)},
             {"complete", Value(first.usable().size() == first.databases.size())},
             {"failure", first.findings.empty() ? Value() : Value(first.findings.front().message)},
             {"refused", Value(List{})}});
}

Result<std::string> local_screen(const ProfilePlan& plan, const LocalRuns& runs,
                                 const std::string& findings, const Loaded& now) {
  const auto stats = TRY(stats_of(now));
  const auto& version = runs.recorder().version;
  std::string text = fmt::format("ran {} under rocprofv3{}\n{}: {}\n", command_line(plan.argv),
                                 version ? fmt::format(" (ROCm {})", version->text()) : "",
                                 now.open->id(), one_line(overview_of(*now.trace, *stats)));
  text += kernel_lines(now, *stats);
  if (runs.runtime_ms().size() > 1) text += stability_line(runs.runtime_ms()) + "\n";
  if (runs.passes() > 0)
    text +=
        fmt::format("counters of {} more run{}: the times are those of the run without counters\n",
                    runs.passes(), runs.passes() == 1 ? "" : "s");
  text += findings;
  if (!runs.sampled().empty()) text += runs.sampled() + "\n";
  return text + fmt::format(
                    "wrote {}: profile.json roofline.json dag.json analysis.json, and the database",
                    plan.folder);
}

/// The kernel that the document is about.
std::string kernel_of(const Document& profile) {
  const Value* kernel = profile.get("kernel");
  const Value* name = kernel == nullptr ? nullptr : kernel->find("name");
  const auto* text = name == nullptr ? nullptr : name->as<std::string>();
  return text == nullptr ? std::string() : *text;
}

void add_notes(const LocalRuns& runs, Document& out) {
  out.notes.insert(out.notes.end(), runs.notes().begin(), runs.notes().end());
  for (std::string& note : disturbances()) out.notes.push_back(std::move(note));
  const Exit& exit = runs.first().exit;
  if (exit.timed_out) {
    out.exit_code = exit_status(Errc::timeout);
  } else if (!exit.ok()) {
    out.exit_code = 1;
  }
}

}  // namespace

Result<Document> profile_local(Context& context, const ProfileRunArgs& args,
                               const ProfilePlan& plan) {
  LocalRuns runs = TRY(LocalRuns::start(context, args, plan));
  TRY(profile::pc_sampling_of(args.pc_sampling));  // before anything has run
  TRY(runs.trace());
  link_recording(plan.folder, runs.databases().front());
  TRY(runs.count());
  TRY(open_recordings(context, runs.databases()));
  bool traced = TRY(runs.trace_threads(args.att));
  TRY(runs.sample());
  RooflineArgs analysis;
  static_cast<HardwareArgs&>(analysis) = args;
  Document out = TRY(profile_of_trace(context, analysis, args.focus_critical));
  if (args.deep_analysis && args.att.empty()) {
    traced = TRY(runs.trace_threads(kernel_of(out)));
    if (traced) out = TRY(profile_of_trace(context, analysis, args.focus_critical));
  }
  set_stability(runs.runtime_ms(), out);
  const Loaded now = TRY(loaded(context));
  out.set("run", local_run_record(plan, runs, *now.trace));
  out.set("emulation_s", Value());
  add_notes(runs, out);
  out.provenance = Provenance::measured;
  TRY(write_profile_documents(context, analysis, plan, out));
  out.text = TRY(
      local_screen(plan, runs, findings_text(args, out, traced, canvas_of(context).width), now));
  out.next = {"critpath", "info kernels", "classify", "timeline"};
  return out;
}

}  // namespace rpl
