// SPDX-License-Identifier: MIT
// What `profile` says: of a program that was recorded, one that was timed from outside, and an earlier profile.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/commands/profile/profile_run.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/overview.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr double kNsOfMilli = 1e6;

fs::path link_in(const std::string& folder) { return fs::path(folder) / ".rocpd_profile"; }

/// The name under which the older tool keeps its database, for the one of the first process.
void link_recording(const std::string& folder, const std::string& database) {
  std::error_code ignored;
  const fs::path link = link_in(folder);
  fs::remove(link, ignored);
  fs::create_symlink(fs::relative(database, folder, ignored), link, ignored);
}

void set_stability(const ProfileRun& run, bool modelled, Profile& out) {
  out.stability = profile::stability_of(run.runtime_ms);
  std::string advice = profile::stability_advice(out.stability, "runtime_ms", modelled);
  if (!advice.empty()) out.notes.push_back(std::move(advice));
}

std::string stability_line(const profile::Stability& found) {
  const auto time = [](double ms) { return format_ns(ms * kNsOfMilli); };
  if (found.runs < 2)
    return fmt::format("1 run: {}; --runs 5 tells how stable that is\n", time(found.mean));
  if (!found.kind) return fmt::format("{} runs: mean {}\n", found.runs, time(found.mean));
  return fmt::format("{} runs: mean {}, standard deviation {}, cv {:.3f}: {}\n", found.runs,
                     time(found.mean), time(*found.stddev), *found.cv, to_string(*found.kind));
}

/// The kernels with most time, a line each.
std::string kernel_lines(const Loaded& now, const TraceStats& stats) {
  std::string text;
  constexpr std::size_t kShown = 6, kName = 36;
  for (std::size_t i = 0; i < std::min(kShown, stats.kernels.size()); ++i) {
    const KernelStats& row = stats.kernels[i];
    const Kernel& kernel = now.trace->kernels()[row.kernel];
    text += fmt::format("  {}  {:<{}}  {:>5} x  {:>10}  {:>5.1f} %\n", kernel.id,
                        elide_middle(short_kernel(kernel.name), kName), kName, row.duration.calls,
                        format_ns(static_cast<double>(row.duration.total_ns)), row.share * 100);
  }
  if (stats.kernels.size() > kShown)
    text += fmt::format("  and {} more: info kernels\n", stats.kernels.size() - kShown);
  return text;
}

std::string rank_lines(const RunRecord& record) {
  std::string out;
  for (const RankRun& one : *record.ranks) {
    std::vector<std::string> names;
    for (const std::string& path : one.databases)
      names.push_back(fs::path(path).lexically_relative(record.folder).string());
    out += fmt::format("  rank {:<4} {:<10} {:<6} {:>10}  {}\n", one.rank,
                       one.node.empty() ? "-" : one.node, one.state,
                       one.runtime_ms ? format_ns(*one.runtime_ms * kNsOfMilli) : "-",
                       fmt::join(names, " "));
  }
  return out;
}

/// Opens thread traces, the last of which is current; whether there are any. What cannot be opened is a note.
bool open_traces(const Inputs& inputs, ProfileRun& run) {
  bool opened = false;
  for (const std::string& folder : run.thread_traces) {
    const auto trace = thread_trace_named(inputs, folder);
    opened |= trace.has_value();
    if (!trace) run.notes.push_back(fmt::format("thread trace: {}", trace.error().message));
  }
  return opened;
}

/// A line about the PC samples; "" without.
std::string open_samples(const Inputs& inputs, ProfileRun& run) {
  if (run.samples.empty()) return {};
  // JSON has addresses, and comes first.
  const auto opened = thread_trace_named(inputs, run.samples.front());
  if (opened) return one_line(*opened) + "\n";
  run.notes.push_back(fmt::format("PC sampling: {}", opened.error().message));
  return {};
}

std::string product_of(const Trace& trace) {
  const std::uint32_t agent = busiest_agent(trace);
  if (agent == kNone) return {};
  const Agent& found = trace.entities().agents[agent];
  return found.product.empty() ? found.arch : found.product;
}

void add_run(const ProfileRun& run, Profile& out) {
  out.run = run.record;
  for (const auto* more : {&run.notes, &run.disturbances})
    out.notes.insert(out.notes.end(), more->begin(), more->end());
  if (run.times == Provenance::measured) out.provenance = run.times;
}

/// The document with how the run ended.
Document document_of(const Profile& profile, const ProfileRun& run) {
  Document out = document_of(profile);
  if (run.failed) out.exit_code = run.timed_out ? exit_status(Errc::timeout) : 1;
  return out;
}

/// How many calls of the HIP interface were recorded, for people; "" where calls were not.
std::string calls_line(const Trace& trace) {
  if (!trace.presence().api) return {};
  const auto calls = trace.api();
  if (!calls) return {};
  const std::uint64_t count = (*calls)->rows.size();
  return fmt::format(", {} HIP call{}", format_count(count), count == 1 ? "" : "s");
}

/// Of a run that launched no kernel, or whose first one did not end: what was recorded stays open, and how the program ended is told as of any other.
Result<Document> document_without_kernels(const ProfilePlan& plan, const Loaded& now,
                                          ProfileRun run) {
  const Trace& trace = *now.trace;
  Profile profile{.recording = now.open->paths(), .provenance = provenance_of(trace)};
  add_run(run, profile);
  const bool died = !run.died_of.empty();
  if (!run.failed && !died)
    profile.notes.emplace_back(
        "no kernel was launched: there are calls, copies and memory to look at, and no times of "
        "kernels");
  TRY(write_profile_document(profile, plan.request.folder));
  Document out = document_of(profile, run);
  out.text = fmt::format("ran {} {}\n{}: {}{}\nwrote {}: profile.json, and the database",
                         run.record.program, run.how, now.open->id(),
                         died || run.timed_out ? "no kernel ended" : "no kernel ran",
                         calls_line(trace), plan.request.folder);
  out.next = {"info trace"};
  // A fault is found by running its kernel alone.
  if (died || run.failed)
    out.next = {"build SOURCE --device-only -g",
                "kernel run OBJECT KERNEL --grid N --workgroup N --arg … --stop", "info trace"};
  return out;
}

Result<Document> recording_document(const ProfileRunArgs& args, const Profiler& profiler,
                                    const ProfilePlan& plan, ProfileRun run) {
  if (run.nothing) return Failure(std::move(*run.nothing));
  const std::string& folder = plan.request.folder;
  link_recording(folder, run.databases.front());
  TRY(open_recordings(profiler, run.databases));
  const Loaded opened = TRY(loaded(profiler));
  if (nothing_ran(*opened.trace)) return document_without_kernels(plan, opened, std::move(run));
  bool traced = open_traces(profiler, run);
  const std::string sampled = open_samples(profiler, run);
  RooflineArgs analysis;
  static_cast<HardwareArgs&>(analysis) = args;
  Profile profile = TRY(profile_of_trace(profiler, analysis, args.focus_critical));
  // The ranks of a job have done so themselves.
  if (args.deep_analysis && args.att.empty() && !run.record.ranks) {
    ProfileRequest again = plan.request;
    again.trace_kernel = profile.kernel->name;
    again.only_trace = true;
    ProfileRun found = TRY(plan.target->profile(again));
    traced = open_traces(profiler, found);
    run.notes.insert(run.notes.end(), found.notes.begin(), found.notes.end());
    if (traced) profile = TRY(profile_of_trace(profiler, analysis, args.focus_critical));
  }
  const Loaded now = TRY(loaded(profiler));
  if (run.record.gpu.empty() && !run.record.ranks) run.record.gpu = product_of(*now.trace);
  set_stability(run, run.times == Provenance::modelled, profile);
  add_run(run, profile);
  TRY(write_profile_files(profiler, analysis, folder, OutputFile::Place::own));
  TRY(write_profile_document(profile, folder));
  // Two equal runs differ in it, so that profile.json does without.
  profile.emulation_s = run.emulation_s;
  Document out = document_of(profile, run);
  const auto stats = TRY(stats_of(now));
  out.text = fmt::format("ran {} {}\n{}: {}\n", run.record.program, run.how, now.open->id(),
                         one_line(overview_of(*now.trace, *stats)));
  out.text += kernel_lines(now, *stats);
  if (run.record.ranks) out.text += rank_lines(run.record);
  if (run.runtime_ms.size() > 1) out.text += stability_line(profile.stability);
  for (const std::string& line : run.details) out.text += line + "\n";
  out.text += findings_text(args, profile, traced, profiler.screen.width) + sampled;
  out.text += fmt::format("wrote {}: profile.json roofline.json dag.json analysis.json, and the {}",
                          folder, run.record.ranks ? "databases" : "database");
  out.next = {"critpath", "info kernels", "classify", "timeline"};
  return out;
}

Result<Document> host_document(Face& face, const ProfilePlan& plan, const ProfileRun& run) {
  Profile profile;
  profile.time_source = "host";
  profile.notes.emplace_back(
      "runtime_ms is the host's time of the whole process: no kernel was looked at");
  set_stability(run, false, profile);
  add_run(run, profile);
  TRY(write_profile_document(profile, plan.request.folder));
  Document out = document_of(profile, run);
  out.text = fmt::format(
      "ran {}: time of the whole process on the host, starting and ending included\n{}wrote {}: "
      "profile.json",
      run.record.program, stability_line(profile.stability), plan.request.folder);
  face.suggest({"run", "profile --no-rocprof --runs 10 -- " + run.record.program}, out);
  return out;
}

/// What was written, with its stability from the samples again.
Document recorded_document(const ProfileRun& run) {
  Profile fresh;
  fresh.notes.push_back(fmt::format("nothing ran: this is {}", run.how));
  set_stability(run, false, fresh);
  fresh.provenance = run.times;
  Document out = document_of(fresh);
  for (auto& [name, value] : out.record) {
    const Value* written = run.recorded.find(name);
    if (name != "runtime_ms" && name != "stability") value = written ? *written : Value();
  }
  out.text = fmt::format("{} as it was recorded on {} in {}: nothing ran\n{}", run.record.program,
                         to_string(run.record.target), run.how, stability_line(fresh.stability));
  out.text.pop_back();
  out.next = {"info profile " + (fs::path(run.how) / "profile.json").string()};
  return out;
}

}  // namespace

std::string linked_recording(const std::string& folder) {
  std::error_code ignored;
  const fs::path target = fs::read_symlink(link_in(folder), ignored);
  return target.empty() ? std::string() : (fs::path(folder) / target).string();
}

Result<Document> profiled(const ProfileRunArgs& args, const Profiler& profiler,
                          const ProfilePlan& plan) {
  ProfileRun run = TRY(plan.target->profile(plan.request));
  if (!run.recorded.is_null()) return recorded_document(run);
  if (plan.request.from_outside) return host_document(profiler.face, plan, run);
  return recording_document(args, profiler, plan, std::move(run));
}

}  // namespace rpl
