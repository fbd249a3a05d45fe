// SPDX-License-Identifier: MIT
// profile --no-rocprof: the host's time of a whole process; and what both ways of profiling share.
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/units.h"
#include "engine/target/host_runs.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/commands/profile/profile_run.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

constexpr double kNsPerMilli = 1e6;

Document empty_profile() {
  DocumentShape shape = document_shape("rpl.profile/1");
  Document out;
  out.schema = std::move(shape.schema);
  for (const Column& field : shape.fields) out.set(field.name, Value());
  out.fields = std::move(shape.fields);
  return out;
}

Value host_run_record(const ProfilePlan& plan, const profile::HostRuns& runs) {
  return Value(Record{{"program", Value(command_line(plan.argv))},
                      {"code", plan.code.empty() ? Value() : Value(plan.code)},
                      {"target", Value(runs.on_emulated_device ? "emu" : "local")},
                      {"gpu", Value()},
                      {"devices", Value()},
                      {"processes", Value()},
                      {"folder", Value(plan.folder)},
                      {"exit_code", Value(runs.last.code)},
                      {"complete", Value(true)},
                      {"failure", Value()},
                      {"refused", Value(List{})}});
}

std::string host_screen(const ProfilePlan& plan, const profile::HostRuns& runs) {
  std::string text =
      fmt::format("ran {}: time of the whole process on the host, starting and ending included\n",
                  command_line(plan.argv));
  text += stability_line(runs.wall_ms) + "\n";
  return text + fmt::format("wrote {}: profile.json", plan.folder);
}

}  // namespace

Status keep_output(const ProfilePlan& plan, const Exit& exit, std::size_t run) {
  const auto keep = [&](const char* name, const Captured& printed) -> Status {
    if (printed.text.empty()) return {};
    const std::string file =
        run == 1 ? fmt::format("{}.txt", name) : fmt::format("{}.{}.txt", name, run);
    return write_file((std::filesystem::path(plan.folder) / file).string(), printed.text);
  };
  TRY(keep("stdout", exit.out));
  return keep("stderr", exit.err);
}

void set_stability(const std::vector<double>& samples_ms, Document& out, bool modelled) {
  const profile::Stability found = profile::stability_of(samples_ms);
  List samples;
  for (const double sample : samples_ms) samples.emplace_back(sample);
  out.set("runtime_ms", found.mean);
  out.set("stability",
          Value(Record{{"runs", Value(std::uint64_t{found.runs})},
                       {"mean_ms", Value(found.mean)},
                       {"stddev_ms", Value(found.stddev)},
                       {"cv", Value(found.cv)},
                       {"classification", found.kind ? Value(to_string(*found.kind)) : Value()},
                       {"samples_ms", Value(std::move(samples))}}));
  const std::string advice = profile::stability_advice(found, "runtime_ms", modelled);
  if (!advice.empty()) out.notes.push_back(advice);
}

std::string stability_line(const std::vector<double>& samples_ms) {
  const profile::Stability found = profile::stability_of(samples_ms);
  const auto time = [](double ms) { return format_ns(ms * kNsPerMilli); };
  if (found.runs < 2)
    return fmt::format("1 run: {}; --runs 5 tells how stable that is", time(found.mean));
  if (!found.kind) return fmt::format("{} runs: mean {}", found.runs, time(found.mean));
  return fmt::format("{} runs: mean {}, standard deviation {}, cv {:.3f}: {}", found.runs,
                     time(found.mean), time(*found.stddev), *found.cv, to_string(*found.kind));
}

Result<Document> profile_host_time(Context& context, const ProfileRunArgs& args,
                                   const ProfilePlan& plan) {
  if (args.roofline || args.deep_analysis || args.focus_critical || !args.counters.empty() ||
      !args.att.empty()) {
    return fail(Errc::usage,
                "--no-rocprof records nothing: it leaves no kernels for --roofline, --counters, "
                "--att, --focus-critical and --deep-analysis",
                "leave one or the other out");
  }
  profile::HostRequest request{.argv = plan.argv,
                               .runs = plan.runs,
                               .timeout = plan.timeout,
                               .emulated_device = plan.target == TargetKind::emu,
                               .gpu = plan.gpu,
                               .devices = plan.devices,
                               .on_line = plan.on_line};
  const profile::HostRuns runs = TRY(profile::time_program(request));
  TRY(make_folder(plan.folder));
  TRY(keep_output(plan, runs.last, 1));
  Document out = empty_profile();
  out.set("schema_version", "1.0");
  out.set("time_source", "host");
  out.set("recording", Value(List{}));
  out.set("run", host_run_record(plan, runs));
  set_stability(runs.wall_ms, out);
  out.notes.insert(out.notes.begin(),
                   "runtime_ms is the host's time of the whole process: no kernel was looked at");
  if (!runs.last.ok()) {
    out.notes.push_back(runs.last.timed_out
                            ? "the program was stopped after its time"
                            : fmt::format("the program ended with status {}", runs.last.code));
    out.exit_code = runs.last.timed_out ? exit_status(Errc::timeout) : 1;
  }
  if (runs.on_emulated_device)
    out.notes.push_back(
        "its kernels ran on the emulated device: most of the time is that of the emulator and says "
        "nothing about a GPU");
  for (std::string& note : disturbances()) out.notes.push_back(std::move(note));
  out.provenance = Provenance::measured;
  TRY(write_profile_document(out, plan.folder));
  out.text = host_screen(plan, runs);
  context.face().suggest({"run", "profile --no-rocprof --runs 10 -- " + command_line(plan.argv)},
                         out);
  return out;
}

}  // namespace rpl
