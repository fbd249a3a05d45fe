// SPDX-License-Identifier: MIT
// profile: runs a HIP program and opens what was recorded.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "engine/base/units.h"
#include "engine/profile/emulated_run.h"
#include "shell/command/define.h"
#include "shell/commands/families.h"
#include "shell/commands/overview.h"
#include "shell/commands/profile_files.h"
#include "shell/render/names.h"

namespace rpl {

namespace {

namespace fs = std::filesystem;

struct ProfileRunArgs {
  std::vector<std::string> program;
  std::string gpu, output;
  std::int64_t devices = 0, timeout_s = 0;
  bool quiet = false;
};

Result<profile::EmulatedRequest> request_of(Context& context, const ProfileRunArgs& args) {
  profile::EmulatedRequest request;
  request.argv = args.program;
  request.gpu = args.gpu;
  const std::string set = context.settings.text("emu gpu");
  if (request.gpu.empty() && set != "none") request.gpu = set;
  const std::int64_t devices = args.devices != 0 ? args.devices : static_cast<std::int64_t>(context.settings.number("emu devices"));
  constexpr std::int64_t kMost = 8;
  if (devices < 1 || devices > kMost) return fail(Errc::usage, "--devices must be 1 to 8");
  request.devices = static_cast<std::uint32_t>(devices);
  request.timeout = std::chrono::seconds(args.timeout_s);
  request.folder = args.output.empty() ? TRY(free_profile_folder(context)) : args.output;
  if (!args.quiet && context.write) {
    request.on_line = [&context](OutputStream, std::string_view line) { (void)context.write(fmt::format("{}\n", line)); };
  }
  return request;
}

/// The name under which the older tool keeps its database, for the one of the first process.
void link_database(const std::string& folder, const std::string& database) {
  std::error_code ignored;
  const fs::path link = fs::path(folder) / ".rocpd_profile";
  fs::remove(link, ignored);
  fs::create_symlink(fs::relative(database, folder, ignored), link, ignored);
}

std::vector<std::string> refused_of(const profile::EmulatedOutcome& outcome) {
  std::vector<std::string> out;
  for (const auto& process : outcome.processes) out.insert(out.end(), process.refused.begin(), process.refused.end());
  return out;
}

void add_remarks(const profile::EmulatedOutcome& outcome, Document& out) {
  if (!outcome.exit.ok()) {
    out.notes.push_back(outcome.exit.timed_out ? "the program was stopped after its time" :
                                                fmt::format("the program ended with status {}; what it did before is here", outcome.exit.code));
  }
  for (const auto& process : outcome.processes) {
    if (!process.failure.empty()) out.notes.push_back(process.failure);
    if (!process.complete) out.notes.push_back("a process ended without its last records");
  }
  const auto refused = refused_of(outcome);
  if (!refused.empty()) out.notes.push_back(fmt::format("not supported, and asked for: {}", fmt::join(refused, ", ")));
}

Value run_record(const profile::EmulatedRequest& request, const profile::EmulatedOutcome& outcome) {
  List refused;
  Value failure;
  bool complete = true;
  for (const std::string& name : refused_of(outcome)) refused.emplace_back(name);
  for (const auto& process : outcome.processes) {
    if (!process.failure.empty() && failure.is_null()) failure = Value(process.failure);
    complete = complete && process.complete;
  }
  return Value(Record{{"program", Value(command_line(request.argv))},
                      {"target", Value("emu")},
                      {"gpu", Value(outcome.gpu)},
                      {"devices", Value(request.devices)},
                      {"processes", Value(static_cast<std::uint64_t>(outcome.processes.size()))},
                      {"folder", Value(request.folder)},
                      {"exit_code", Value(outcome.exit.code)},
                      {"complete", Value(complete)},
                      {"failure", failure},
                      {"refused", Value(std::move(refused))}});
}

Result<std::string> screen(const profile::EmulatedRequest& request, const profile::EmulatedOutcome& outcome, const Loaded& now) {
  const auto stats = TRY(stats_of(now));
  std::string text = fmt::format("ran {} on {} x {}, emulated: every time below is modelled\n{}: {}\n", command_line(request.argv),
                                 request.devices, outcome.gpu, now.open->id(), one_line(overview_of(*now.trace, *stats)));
  constexpr std::size_t kShown = 6, kName = 36;
  for (std::size_t i = 0; i < std::min(kShown, stats->kernels.size()); ++i) {
    const KernelStats& row = stats->kernels[i];
    const Kernel& kernel = now.trace->kernels()[row.kernel];
    text += fmt::format("  {}  {:<{}}  {:>5} x  {:>10}  {:>5.1f} %\n", kernel.id, elide_middle(short_kernel(kernel.name), kName), kName,
                        row.duration.calls, format_ns(static_cast<double>(row.duration.total_ns)), row.share * 100);
  }
  if (stats->kernels.size() > kShown) text += fmt::format("  and {} more: info kernels\n", stats->kernels.size() - kShown);
  return text + fmt::format("wrote {}: profile.json roofline.json dag.json analysis.json, and the database", request.folder);
}

Result<Document> run_profile(Context& context, const ProfileRunArgs& args) {
  const profile::EmulatedRequest request = TRY(request_of(context, args));
  const profile::EmulatedOutcome outcome = TRY(profile::run_emulated(request));
  std::vector<std::string> databases;
  double emulation_s = 0;
  for (const auto& process : outcome.processes) {
    databases.push_back(process.database);
    emulation_s += process.emulation_s;
  }
  link_database(request.folder, databases.front());
  TRY(context.workspace.open(databases));
  Document out = TRY(profile_of_trace(context, {}));
  TRY(write_profile_files(context, {}, request.folder));
  out.set("run", run_record(request, outcome));
  out.set("emulation_s", emulation_s);
  out.text = TRY(screen(request, outcome, TRY(loaded(context))));
  add_remarks(outcome, out);
  out.next = {"critpath", "info kernels", "classify", "timeline"};
  return out;
}

constexpr const char* kProfileHelp =
    "Runs the program on the emulated devices and opens what was recorded: dispatches, copies, memory, every HIP call, streams and events. "
    "What it prints is shown. The program is checked first; what cannot run is told with what mends it. `set emu gpu MI250X` and `set emu "
    "devices 2` say what it runs on; otherwise its code decides. The databases (one for each process, FOLDER/HOST/PID_results.db, as "
    "rocprofv3 writes them) and profile.json, roofline.json, dag.json and analysis.json go to profiles/N of the session, or to --output DIR. "
    "Every time is of the virtual clock and modelled; docs/profiling-without-a-gpu.md says how. On a machine with an AMD GPU, record with "
    "rocprofv3 and open its database: this command does not drive it yet.";

}  // namespace

void add_profile_run_commands(Registry& registry) {
  add(registry,
      command(Command{.path = "profile",
                      .chapter = Class::running,
                      .summary = "Run a HIP program on the emulated devices and open the recording.",
                      .help = kProfileHelp,
                      .fields = document_shape("rpl.profile/1").fields,
                      .scalar = "runtime_ms",
                      .examples = {"profile --quiet -- PROGRAM"},
                      .changes_program = true},
              {rest("program", &ProfileRunArgs::program, "the program and its arguments").required(),
               option("gpu", &ProfileRunArgs::gpu, "MI300X, MI250X, gfx90a …; default: `set emu gpu`, else what suits its code"),
               option("devices", &ProfileRunArgs::devices, "how many of them; 0: `set emu devices`"),
               option("output", &ProfileRunArgs::output, "the folder; made when it does not exist")
                   .or_letter('o')
                   .named("DIR")
                   .completes(Complete::file),
               option("timeout", &ProfileRunArgs::timeout_s, "seconds after which the program is stopped; 0: never").named("S"),
               flag("quiet", &ProfileRunArgs::quiet, "do not show what the program prints")},
              run_profile));
}

}  // namespace rpl
