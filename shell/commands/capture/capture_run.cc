// SPDX-License-Identifier: MIT
// capture run: runs a program and freezes one of its dispatches.
#include "shell/commands/capture/capture_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/capture/dispatches.h"
#include "engine/capture/wish.h"
#include "engine/optimize/verify/oracle.h"
#include "shell/commands/profile/profile_run.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/targets.h"
#include "shell/core/session/folders.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

struct CaptureRunArgs {
  std::string kernel;
  std::vector<std::string> program;
  std::string slice, output, target, gpu, grid, scope = "reachable";
  std::int64_t dispatch = 1, longer_us = 0, limit_mib = 0, devices = 0, timeout_s = 0, drain_s = 0,
               dispatch_s = 0;
  bool quiet = false;
};

/// "scale(float*, int) 3 x, vector_add 1 x".
std::string list_of(const std::map<std::string, std::uint64_t>& dispatches) {
  std::vector<std::string> names;
  for (const auto& [name, count] : dispatches)
    names.push_back(fmt::format("{} {} x", demangled(name), count));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What was asked for, in sentences.
std::string wanted(const CaptureRunArgs& args) {
  return args.slice.empty() ? args.kernel : "slice " + args.slice;
}

/// Of a program that ran, and made fewer dispatches than the slice names.
Failure too_few(const CaptureRunArgs& args, const CaptureRun& run, std::uint64_t most) {
  if (!run.exit.ok())
    return fail(Errc::verification_failed,
                fmt::format("{} ended with exit status {} after {} dispatches, before slice {} was "
                            "whole",
                            args.program.front(), run.exit.code, most, args.slice),
                "run it alone: profile -- " + args.program.front());
  return fail(Errc::not_found,
              fmt::format("{} made {} dispatch{}, slice {} has others", args.program.front(), most,
                          most == 1 ? "" : "es", args.slice),
              "--slice FROM..TO counts the dispatches of a process from 1");
}

/// Why there is no capture, when no process has one.
Failure nothing_captured(const CaptureRunArgs& args, const CaptureRun& run) {
  std::uint64_t matches = 0, most = 0;
  std::map<std::string, std::uint64_t> ran;
  for (const ProcessCapture& process : run.processes) {
    for (const auto& [name, count] : process.dispatches) ran[name] += count;
    if (!process.failure.empty()) {
      return fail(Errc::verification_failed,
                  fmt::format("{} was not captured: {}", wanted(args), process.failure),
                  args.limit_mib != 0  ? "raise --limit"
                  : args.slice.empty() ? "capture another dispatch: --dispatch N"
                                       : "capture another slice: --slice FROM..TO");
    }
    matches += process.matches;
    most = std::max(most, process.matches);
  }
  if (!args.slice.empty() && most > 0) return too_few(args, run, most);
  if (!run.exit.ok() && matches == 0) {
    return fail(
        Errc::verification_failed,
        fmt::format("{} ended with exit status {} before {} ran", args.program.front(),
                    run.exit.code,
                    args.slice.empty() ? fmt::format("a kernel that '{}' names", args.kernel)
                                       : "any kernel"),
        "run it alone: profile -- " + args.program.front());
  }
  if (args.kernel == "-")
    return fail(Errc::not_found,
                fmt::format("nothing was captured while {} ran", args.program.front()),
                "capture live arm KERNEL, while it runs");
  if (ran.empty())
    return fail(Errc::not_found, fmt::format("{} ran no kernel", args.program.front()),
                "check that this run of it uses a GPU at all");
  if (matches == 0) {
    const bool conditions = !args.grid.empty() || args.longer_us != 0;
    return fail(Errc::not_found,
                fmt::format("no dispatch of a kernel that '{}' names{}; there ran {}", args.kernel,
                            conditions ? ", with that condition" : "", list_of(ran)),
                "name one of these, a part of a name or a /regex/");
  }
  return fail(Errc::not_found,
              fmt::format("{} dispatch{} of kernels that '{}' names, not {}", matches,
                          matches == 1 ? "" : "es", args.kernel, args.dispatch),
              "--dispatch counts from 1");
}

/// That a program was run in which nothing could be captured.
Status check_watched(const CaptureRunArgs& args, const CaptureRun& run) {
  for (const ProcessCapture& process : run.processes) {
    if (process.watched || process.failure.empty()) continue;
    return fail(Errc::unsupported, fmt::format("{} ran, but nothing could be captured: {}",
                                               args.program.front(), process.failure));
  }
  if (!run.processes.empty() || !run.exit.ok()) return {};
  return fail(
      Errc::verification_failed,
      fmt::format("{} ran, but no HSA runtime in it loaded the capture tool", args.program.front()),
      "HSA_TOOLS_REPORT_LOAD_FAILURE=1 says why; without a GPU: --target emu");
}

/// A kernel or a slice, and conditions that go with it.
Status check_what(const CaptureRunArgs& args) {
  if (args.slice.empty()) {
    if (!args.kernel.empty()) return {};
    return fail(Errc::usage, "which kernel's dispatch is to be captured?",
                "capture run KERNEL -- ./app, or capture run --slice FROM..TO -- ./app");
  }
  if (!args.kernel.empty() || !args.grid.empty() || args.longer_us != 0 || args.dispatch != 1)
    return fail(Errc::usage,
                "--slice names dispatches by number: KERNEL, --dispatch, --grid and --longer do "
                "not go with it",
                "capture run --slice FROM..TO -- ./app");
  if (parse_dispatch_range(args.slice)) return {};
  return fail(Errc::usage,
              fmt::format("--slice {} is not a range of up to {} dispatches, counted from 1",
                          args.slice, kMostCapturedDispatches),
              "--slice 3..4");
}

/// The wish with its folder chosen. Fails with usage, denied where the folder exists.
Result<CaptureWish> wish_of(const CaptureRunArgs& args, SessionLog& log) {
  if (args.program.empty())
    return fail(Errc::usage, "no program to run", "capture run KERNEL -- ./app ARGS");
  const bool none = args.kernel == "-";
  if (!none && args.slice.empty()) TRY(KernelPattern::of(args.kernel));
  CaptureWish wish{.kernel = none ? std::string() : args.kernel,
                   .slice = parse_dispatch_range(args.slice),
                   .grid = {},
                   .longer_us = static_cast<std::uint64_t>(args.longer_us),
                   .dispatch = static_cast<std::uint64_t>(args.dispatch),
                   .folder = args.output,
                   .all_memory = args.scope == "all",
                   .most_bytes = static_cast<std::uint64_t>(args.limit_mib) << 20};
  if (!args.grid.empty()) wish.grid = parse_grid(args.grid);
  if (!args.grid.empty() && !wish.grid)
    return fail(Errc::usage,
                fmt::format("--grid {} is not one to three numbers of work-items", args.grid),
                "--grid 1024,1,1");
  if (wish.folder.empty()) wish.folder = TRY(numbered_folder(log, "captures", Numbered::free));
  std::error_code ignored;
  if (fs::exists(wish.folder, ignored))
    return fail(Errc::denied, fmt::format("{} exists already", wish.folder),
                "name another folder: -o DIR");
  return wish;
}

/// A capture that was made.
struct CapturedDispatch {
  CaptureEntry entry;
  std::int64_t dispatch = 1;
  std::uint64_t matches = 0;
  std::string gpu;
  int exit_status = 0;
};
constexpr auto kCapturedFields = bound_to<CapturedDispatch>(
    column<&CapturedDispatch::entry, &Shelved<Capture>::id>("id",
                                                            "name of the capture in this session")
        .as(Type::id),
    column<&CapturedDispatch::entry, &Shelved<Capture>::path>("path", "its folder"),
    column<&CapturedDispatch::entry, &Shelved<Capture>::value, &Capture::kernel>(
        "kernel", "name in the code object")
        .as(Type::kernel),
    column<&CapturedDispatch::dispatch>(
        "dispatch",
        "which of the dispatches that match, from 1; of a slice the "
        "first"),
    column<&CapturedDispatch::entry, &Shelved<Capture>::value, &dispatch_count>(
        "dispatches", "how many the capture holds"),
    column<&CapturedDispatch::matches>("matches",
                                       "dispatches of kernels that KERNEL names, in that process; "
                                       "with --slice all of it"),
    column<&CapturedDispatch::entry, &Shelved<Capture>::value, &Capture::regions,
           &how_many<std::vector<CapturedRegion>>>("regions",
                                                   "ranges of memory, variables among them"),
    column<&CapturedDispatch::entry, &Shelved<Capture>::value, &memory_bytes>("memory_bytes",
                                                                              "before and after"),
    column<&CapturedDispatch::gpu>("gpu", "the emulated product, or the GPU's name"),
    column<&CapturedDispatch::exit_status>("exit_status", "of the program").in(Unit::none));

/// Why none of the processes has a capture, or the document of the one that was made.
Result<Document> captured(const CaptureRunArgs& args, const Inputs& inputs, const CaptureWish& wish,
                          const CaptureRun& run) {
  const auto made = std::ranges::find_if(
      run.processes, [](const ProcessCapture& process) { return !process.folder.empty(); });
  if (made == run.processes.end()) return nothing_captured(args, run);
  // Told while it ran, the program may have taken another folder.
  const bool as_wished =
      !wish.folder.empty() && fs::absolute(wish.folder) == fs::path(made->folder);
  const CaptureEntry entry = TRY(capture_named(inputs, as_wished ? wish.folder : made->folder));
  Document out;
  const auto first = wish.slice ? static_cast<std::int64_t>(wish.slice->first) : args.dispatch;
  out.put(kCapturedFields, CapturedDispatch{entry, first, made->matches, run.gpu, run.exit.code});
  const std::string which =
      wish.slice           ? fmt::format("dispatches {} of {}", args.slice, made->matches)
      : args.kernel == "-" ? std::string("what it was told to while it ran")
                           : fmt::format("dispatch {} of {} that '{}' names", args.dispatch,
                                         made->matches, args.kernel);
  out.text = fmt::format("{}\ncaptured {}, in {}", one_line(entry), which, entry->path);
  if (!run.exit.ok())
    out.notes.push_back(
        fmt::format("{} ended with exit status {}", args.program.front(), run.exit.code));
  out.notes.insert(out.notes.end(), entry->value->cautions.begin(), entry->value->cautions.end());
  note_self_check(entry->path, *entry->value, out);
  out.next = {"capture info", "capture verify", "replay"};
  return out;
}

Result<Document> run_and_capture(const CaptureRunArgs& args, Inputs inputs, SessionLog& log,
                                 Face& face) {
  TRY(check_what(args));
  const Ability need = args.slice.empty() ? Ability::capture : Ability::several_dispatches;
  const TargetChoice on = TRY(target_for(inputs.settings, need, args.target));
  const auto target =
      TRY(open_target(inputs.settings, log, on.kind, {.gpu = args.gpu, .devices = args.devices}));
  const CaptureWish wish = TRY(wish_of(args, log));
  CaptureRequest request{.argv = args.program,
                         .wish = wish,
                         .drain = std::chrono::seconds(args.drain_s),
                         .dispatch = std::chrono::seconds(args.dispatch_s),
                         .timeout = std::chrono::seconds(args.timeout_s)};
  if (!args.quiet) request.on_line = shown_lines(face);
  const CaptureRun run = TRY(target->capture(request));
  TRY(check_watched(args, run));
  Document out = TRY(captured(args, inputs, wish, run));
  const bool modelled = target->traits().times == Provenance::modelled;
  out.provenance = modelled ? Provenance::modelled : Provenance::recorded;
  return out;
}

constexpr const char* kCaptureRunHelp =
    "Runs the program and writes a capture of one dispatch, or of several: kernel, launch, "
    "arguments, code "
    "object, `__device__` and `__constant__` "
    "variables, and memory before and after it. KERNEL is a part of a kernel's name, its mangled "
    "name, or a `/regex/` on names as in the source; `--dispatch N` "
    "takes the N-th dispatch that it names.\n\n"
    "Memory is what the dispatch can reach: allocations to which something points that looks like "
    "an address, in the arguments, in variables, or in memory that was "
    "found so. `--scope all` takes every allocation. A capture larger than `--limit` MiB is not "
    "made, and the program goes on. The folder goes to `captures/N` of the "
    "session, or to `-o DIR`, which must not exist. The program's output is the same with and "
    "without.\n\n"
    "`--slice 3..4` takes consecutive dispatches into one capture, counted over all kernels of the "
    "process from 1, as recordings number them: memory before the first, and after the last. They "
    "must be of one code object, and nothing else may change their memory in between; emulated "
    "devices only.\n\n"
    "KERNEL `-` captures nothing by itself: `capture live` tells the program what to capture while "
    "it runs.\n\n"
    "On an AMD GPU (`--target local`, the default where there is one) a library in the program's "
    "HSA runtime does this: it lets everything before the dispatch "
    "end, in all queues and copies, holds the rest back, and never waits for ever: what cannot be "
    "captured in time runs as it would have, and the capture is "
    "marked as failed. On the emulated devices (`--target emu`) it is the emulated HIP runtime.";

}  // namespace

void note_self_check(const std::string& folder, const Capture& capture, Document& out) {
  const auto mark = mark_capture(folder, capture);
  // A folder that cannot be written any more still holds the capture.
  const std::string warning = warning_of(mark ? *mark : self_check(capture));
  if (!warning.empty()) out.notes.push_back(warning);
}

void add_capture_run_command(Registry& registry) {
  using Args = CaptureRunArgs;
  add(registry,
      command<Args>(
          Command{.path = "capture run",
                  .does = {Capability::read, Capability::session, Capability::run},
                  .chapter = Class::capture,
                  .summary = "Run a program and freeze one of its dispatches, or a slice of them.",
                  .help = kCaptureRunHelp,
                  .fields = described(kCapturedFields),
                  .scalar = "path",
                  .examples = {"capture run vector --dispatch 2 --quiet -- PROGRAM"},
                  .changes_program = true},
          {arg("kernel", &Args::kernel, "a part of its name, its mangled name, or a /regex/")
               .a_name(),
           rest("program", &Args::program, "the program and its arguments"),
           option("dispatch", &Args::dispatch,
                  "which of the dispatches that KERNEL names, counted from 1")
               .in(at_least(1))
               .named("N"),
           option("slice", &Args::slice,
                  "instead of KERNEL: the dispatches of the process with these numbers, from 1, as "
                  "one capture: 3..4")
               .named("FROM..TO"),
           option("output", &Args::output, "the capture's folder; must not exist")
               .or_letter('o')
               .needs({Capability::write})
               .named("DIR")
               .completes(Complete::file),
           option("grid", &Args::grid,
                  "only dispatches of this grid, in work-items: 1024 or 64,64,1")
               .named("N"),
           option("longer", &Args::longer_us,
                  "only after the same kernel and grid took at least this many microseconds")
               .in(at_least(0))
               .named("US"),
           option("scope", &Args::scope, "which memory").one_of({"reachable", "all"}),
           option("limit", &Args::limit_mib, "MiB of memory at most; 0: no limit")
               .in(at_least(0))
               .named("MIB"),
           target_option(&Args::target), option("gpu", &Args::gpu, emulated_gpu_help()),
           devices_option(&Args::devices),
           option("timeout", &Args::timeout_s,
                  "seconds after which the program is stopped; 0: never")
               .in(at_least(0))
               .named("S"),
           option("drain-timeout", &Args::drain_s,
                  "local: seconds that earlier work and copies may take to end; 0: 30")
               .in(at_least(0))
               .named("S"),
           option("dispatch-timeout", &Args::dispatch_s,
                  "local: seconds that the dispatch may take; 0: 120")
               .in(at_least(0))
               .named("S"),
           flag("quiet", &Args::quiet, "do not show what the program prints")},
          run_and_capture));
}

}  // namespace rpl
