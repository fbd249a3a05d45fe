// SPDX-License-Identifier: MIT
// kernel run: one kernel of a code object on fresh memory of the emulated device.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/base/output_file.h"
#include "engine/base/policy.h"
#include "engine/device/record/write_trace.h"
#include "engine/isa/traits/architecture.h"
#include "engine/optimize/verify/value_compare.h"
#include "engine/replay/elements.h"
#include "engine/replay/emulated.h"
#include "shell/commands/capture/capture_run.h"
#include "shell/commands/capture/kernel_report.h"
#include "shell/commands/kernel/kernel_arguments.h"
#include "shell/commands/kernel/kernel_run_command.h"
#include "shell/commands/kernel/triton_launch.h"
#include "shell/core/inputs/emulated_run.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/targets.h"
#include "shell/core/session/debug_state.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/version.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

Result<emu::ExecuteOptions> options_of(const KernelRunArgs& args) {
  if (int{args.functional} + int{args.counted} + int{args.modelled} > 1) {
    return fail(Errc::usage, "--functional, --counted and --modelled exclude each other",
                "give one of them");
  }
  const bool sampling = args.max_waves > 0;
  if (sampling && (!args.capture.empty() || !args.expect.empty())) {
    return fail(
        Errc::usage,
        "--max-waves leaves most of the results out: it does not go with --capture or --expect",
        "leave one or the other out");
  }
  if (args.modelled && (sampling || args.races)) {
    return fail(Errc::usage, "--max-waves and --races are not for the cycle model",
                "use --counted");
  }
  // What is captured should come out the same again: with one thread even sums of floats by atomics do.
  const std::int64_t threads = args.threads.value_or(args.capture.empty() ? 0 : 1);
  emu::ExecuteOptions options;
  options.mode = args.functional                          ? emu::Mode::functional
                 : args.counted || sampling || args.races ? emu::Mode::counted
                                                          : emu::Mode::modelled;
  options.max_instructions = static_cast<std::uint64_t>(args.budget);
  options.max_waves = static_cast<std::uint64_t>(args.max_waves);
  options.threads = static_cast<unsigned>(threads);
  options.find_races = args.races;
  options.keep_trace = !args.att.empty();
  options.keep_record = options.mode == emu::Mode::modelled;  // for findings
  if (options.keep_trace && options.mode != emu::Mode::modelled)
    return fail(Errc::usage, "--att writes the trace of the cycle model",
                "leave --functional, --counted, --max-waves and --races out");
  return options;
}

std::uint64_t add_races(const emu::Executed& executed, Document& out) {
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(executed.races.size(), kShown); ++i)
    out.notes.push_back("race: " + emu::sentence_of(executed.races[i], *executed.program));
  if (executed.races.size() > kShown)
    out.notes.push_back(
        fmt::format("{} more pairs of instructions race", executed.races.size() - kShown));
  if (!executed.races.empty()) out.exit_code = exit_status(Errc::verification_failed);
  return executed.races.size();
}

/// Buffers are held several times: as they start, on the device, and in both images of the capture.
Status check_memory(const std::vector<std::string>& specs, const isa::Kernel& kernel) {
  constexpr std::uint64_t kCopies = 5;
  const std::uint64_t most = physical_memory_bytes() / kCopies;
  const std::uint64_t asked = buffer_bytes(specs, kernel);
  if (asked <= most) return {};
  return fail(Errc::limit, fmt::format("the buffers take {}", format_bytes(asked)),
              fmt::format("this machine has room for {} of buffers", format_bytes(most)));
}

Result<emu::KernelRun> run_of(const KernelRunArgs& args, const ObjectEntry& object,
                              std::vector<std::string>& notes) {
  emu::KernelRun run;
  run.object = object->value;
  const isa::Kernel* kernel = TRY(run.object->kernel(args.kernel));
  run.kernel = kernel->name;
  const TritonLaunch triton = TRY(triton_launch(object->path, *object->value, *kernel));
  run.workgroup = TRY(triton.workgroup(args.workgroup));
  run.grid = TRY(parse_launch_grid(args.grid, args.programs, run.workgroup));
  const std::int64_t lds = args.dynamic_lds.value_or(triton.dynamic_lds_bytes());
  run.dynamic_lds_bytes = static_cast<std::uint32_t>(lds);
  const std::vector<std::string> given = triton.with_scratch(args.arg, run, notes);
  TRY(check_memory(given, *kernel));
  run.arguments = TRY(parse_kernel_arguments(given, *kernel));
  run.options = TRY(options_of(args));
  return run;
}

/// The command line that makes the same capture again.
std::string line_of(const KernelRunArgs& args, const emu::KernelRun& run) {
  const auto said = [](const std::string& text, const emu::Size3& size) {
    return text.empty() ? fmt::format("{}", fmt::join(size, ",")) : text;
  };
  std::string line =
      fmt::format("kernel run {} {} --grid {} --workgroup {}", args.object, args.kernel,
                  said(args.grid, run.grid), said(args.workgroup, run.workgroup));
  for (const std::string& spec : args.arg) line += " --arg " + spec;
  if (run.dynamic_lds_bytes != 0) line += fmt::format(" --dynamic-lds {}", run.dynamic_lds_bytes);
  return line;
}

const emu::BufferArgument& buffer_at(const emu::KernelRun& run, std::size_t number) {
  return std::get<emu::BufferArgument>(run.arguments[number - 1]);
}

/// The first elements, as people read them: "0.5, -0.25, 1, …".
std::string first_elements(Element element, std::span<const std::byte> bytes) {
  constexpr std::size_t kShown = 4;
  const std::size_t width = size_of(element), count = bytes.size() / width;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(count, kShown); ++i) {
    shown.push_back(element_text(element, bytes.data() + i * width));
  }
  return fmt::format("{}{}", fmt::join(shown, ", "), count > kShown ? ", …" : "");
}

/// Compares a buffer with a file; empty when they agree, else a sentence.
Result<std::string> difference_from(const ArgumentFile& expected, const emu::KernelRun& run,
                                    std::span<const std::byte> found,
                                    std::optional<double> tolerance) {
  const Element element = buffer_at(run, expected.argument).element;
  const auto wanted = TRY(read_binary_file(expected.path));
  if (wanted.size() != found.size()) {
    return fail(Errc::usage,
                fmt::format("{} holds {} bytes, argument {} {}", expected.path, wanted.size(),
                            expected.argument, found.size()),
                "'object kernel' lists the arguments; expected is a file of the same size");
  }
  Tolerance allowed = default_tolerance(element);
  if (tolerance && is_float(element))
    allowed = {.relative = *tolerance, .rms_share = *tolerance / 10};
  const ValueComparison result = compare_values(element, wanted, found, allowed);
  if (result.mismatches == 0) return std::string();
  return fmt::format(
      "argument {} differs from {} in {} of {} elements; the first is [{}]: {} instead of {}; the "
      "largest difference is {:.3g}",
      expected.argument, expected.path, result.mismatches, result.elements, result.first_index,
      result.first_found, result.first_expected, result.max_absolute);
}

struct Outcome {
  const emu::KernelRun& run;
  const Capture& capture;
  const emu::KernelOutcome& kernel;
  std::vector<std::string> expected;  ///< by argument: matched, differs or empty
};

std::vector<RunArgument> arguments_of(const Outcome& outcome) {
  std::vector<RunArgument> rows;
  const auto parameters =
      outcome.run.object->kernel_exactly(outcome.run.kernel)->explicit_arguments();
  for (std::size_t i = 0; i < outcome.capture.arguments.size(); ++i) {
    const CapturedArgument& argument = outcome.capture.arguments[i];
    RunArgument& row = rows.emplace_back();
    row.number = i + 1;
    row.buffer = argument.buffer;
    row.null = !argument.buffer && !argument.element &&
               parameters[i].kind == isa::KernelArgument::Kind::global_buffer;
    row.element = argument.element;
    row.size_bytes = argument.kernarg_size;
    row.expected = outcome.expected[i];
    std::span<const std::byte> bytes;
    if (argument.buffer) {
      const CapturedRegion& region = outcome.capture.regions[argument.region];
      bytes = outcome.kernel.buffers[i];
      row.count = argument.count;
      row.size_bytes = region.size;
      row.changed = region.after.has_value();
    } else {
      bytes = std::get<emu::ValueArgument>(outcome.run.arguments[i]).bytes;
    }
    if (argument.element) row.first = first_elements(*argument.element, bytes);
  }
  return rows;
}

Status dump(const std::vector<ArgumentFile>& files, const emu::KernelOutcome& outcome) {
  for (const ArgumentFile& file : files) {
    const auto& bytes = outcome.buffers[file.argument - 1];
    TRY(write_named_file(
        file.path, OutputBytes::raw({reinterpret_cast<const char*>(bytes.data()), bytes.size()})));
  }
  return {};
}

Status compare_all(const std::vector<ArgumentFile>& files, const KernelRunArgs& args,
                   Outcome& outcome, RunChecks& checks, Document& out) {
  for (const ArgumentFile& file : files) {
    const auto& found = outcome.kernel.buffers[file.argument - 1];
    const std::string difference = TRY(difference_from(file, outcome.run, found, args.tolerance));
    outcome.expected[file.argument - 1] = difference.empty() ? "matched" : "differs";
    if (difference.empty()) continue;
    out.notes.push_back(difference);
    out.exit_code = exit_status(Errc::verification_failed);
  }
  if (!files.empty()) checks.verified = out.exit_code == 0;
  return {};
}

/// Writes the capture and opens it, so that `replay` is one word.
Status keep_capture(const Inputs& inputs, const KernelRunArgs& args, const emu::KernelRun& run,
                    Capture capture, Document& out) {
  const std::string& folder = args.capture;
  capture.tool = fmt::format("rpl {}", version());
  capture.source_note = line_of(args, run);
  TRY(write_capture(folder, capture));
  const auto entry =
      TRY(shelve(inputs, folder, std::make_shared<const Capture>(std::move(capture))));
  out.put(kKeptCapture, Kept{entry->id, folder});
  note_self_check(folder, *entry->value, out);
  return {};
}

/// Writes the modelled thread trace of a launch below `folder` and opens it, so that `att summary` is one word. Returns its id.
Result<std::string> keep_thread_trace(const Inputs& inputs, const emu::Executed& executed,
                                      const std::string& folder, Document& out) {
  const att::WrittenTrace trace = TRY(calibrate::modelled_trace(executed));
  TRY(check_output(folder));
  const std::string decoded = TRY(att::write_trace(folder, trace));
  const AttEntry entry = TRY(thread_trace_named(inputs, decoded));
  out.put(kKeptTrace, Kept{entry->id, decoded});
  out.notes.push_back("thread trace: " + trace.what);
  return entry->id;
}

/// Where breakpoints are set, a kernel runs so that they stop it.
bool debugs(const DebugState& debug, const KernelRunArgs& args) {
  return args.stop || args.debug || (debug.debugging && debug.debugging->points.any_enabled());
}

Result<Document> debug_kernel(const Debugger& debugger, const KernelRunArgs& args,
                              const ObjectEntry& object, emu::KernelRun run) {
  const bool keeps = !args.capture.empty() || !args.dump.empty() || !args.expect.empty();
  if (keeps || args.races || args.max_waves != 0 || args.modelled || args.counted) {
    return fail(Errc::usage,
                "--capture, --dump, --expect, --races, --max-waves, --counted and --modelled do "
                "not go with the debugger",
                "'disable' the breakpoints, and leave out --debug and --stop");
  }
  const auto grid = run.grid, workgroup = run.workgroup;
  Document out =
      TRY(start_debugging(debugger, std::move(run), object->id, object->path, args.stop));
  // A stop says in which workgroup it is, a launch how large they are: that takes its place.
  const auto stop = std::ranges::find(out.record, "workgroup", &Record::value_type::first);
  const auto place = stop - out.record.begin();
  const bool stands = stop != out.record.end();
  out.put(kDebuggedFields, RunFacts{.object = object->id,
                                    .grid = grid,
                                    .workgroup = workgroup,
                                    .stopped_workgroup = stands ? stop->second : Value()});
  if (stands) {
    out.record[place].second = std::move(out.record.back().second);
    out.record.pop_back();
  }
  if (args.budget != 0 || args.threads)
    out.notes.emplace_back(
        "--budget and --threads mean nothing to the debugger: it runs on one thread until "
        "something stops it");
  return out;
}

/// What a launch ended with; a fault, which has no next step of its own, can be looked at where it is.
Failure faulted(Error error) {
  if (error.hint.empty() && error.code == Errc::verification_failed)
    error.hint =
        "with --debug it stays stopped there; 'build SOURCE --device-only -g' records lines and "
        "variables";
  return Failure(std::move(error));
}

/// `run` and `start` begin a launch again that no debugger saw. What it wrote is written; what does not go with the debugger is left out where it stops now.
void keep_launch(const Debugger& debugger, const KernelRunArgs& args) {
  if (stopped(debugger.state) != nullptr) return;
  Debugging& all = debugging(debugger);
  all.profile_before = debugger.workspace.last_profile;
  all.again = [context = &debugger.shell, args](bool entry) -> Result<Document> {
    const Debugger now(*context);
    KernelRunArgs again = args;
    again.stop = entry;
    again.capture.clear();
    again.att.clear();
    again.dump.clear();
    if (debugs(now.state, again)) {
      again.expect.clear();
      again.races = again.modelled = again.counted = false;
      again.max_waves = 0;
    }
    Document out = TRY(run_kernel_command(again, Inputs(*context), now));
    // It has the shape of its own command, whatever word began it.
    out.schema = "rpl.kernel.run/1";
    out.fields = kernel_run_fields();
    out.columns = described(kRunColumns);
    return out;
  };
}

/// So that `list --against run` has the run before the last. Its counts are enough for lines; the record of a large launch is not small.
void keep_previous(const Debugger& debugger) {
  const auto& last = debugger.workspace.last_run;
  if (last == nullptr || last->mode == emu::Mode::functional) return;
  auto kept = std::make_shared<EmulatedRun>(*last);
  kept->executed.record = nullptr;
  kept->executed.trace = nullptr;
  kept->found = std::make_shared<std::optional<findings::Findings>>();
  debugging(debugger).previous_run = std::move(kept);
}

}  // namespace

Result<Document> run_kernel_command(const KernelRunArgs& args, Inputs inputs, Debugger debugger) {
  TRY(target_for(inputs.settings, Ability::run_kernel));
  const ObjectEntry object = TRY(object_named(inputs, args.object));
  std::vector<std::string> notes;
  emu::KernelRun run = TRY(run_of(args, object, notes));
  run.options.monitor = inputs.monitor;
  if (debugs(debugger.state, args)) {
    Document out = TRY(debug_kernel(debugger, args, object, std::move(run)));
    out.notes.insert(out.notes.end(), notes.begin(), notes.end());
    return out;
  }
  keep_launch(debugger, args);
  run.options.parameters = TRY(emulated_gpu(inputs));
  const auto dumps = TRY(parse_argument_files(args.dump, "dump", run.arguments));
  const auto expectations = TRY(parse_argument_files(args.expect, "expect", run.arguments));
  emu::KernelOutcome kernel;
  auto ran = capture_run(run, &kernel);
  if (!ran) return faulted(std::move(ran).error());
  Capture capture = std::move(*ran);
  Document out;
  out.put(kRunFields, RunFacts{object->id, run.kernel, run.object->arch(), run.grid, run.workgroup,
                               run.dynamic_lds_bytes});
  set_executed(kernel.executed, run.options.mode, out);
  RunChecks checks;
  if (args.races) checks.races = add_races(kernel.executed, out);
  TRY(dump(dumps, kernel));
  Outcome outcome{run, capture, kernel, std::vector<std::string>(run.arguments.size())};
  TRY(compare_all(expectations, args, outcome, checks, out));
  out.put(kCheckFields, checks);
  out.table(kRunColumns, arguments_of(outcome));
  out.notes.insert(out.notes.end(), notes.begin(), notes.end());
  add_fidelity_notes(kernel.executed, out);
  add_sample_note(kernel.executed, out);
  const std::string thread_trace =
      args.att.empty() ? std::string()
                       : TRY(keep_thread_trace(inputs, kernel.executed, args.att, out));
  keep_previous(debugger);
  inputs.workspace.last_run = std::make_shared<const EmulatedRun>(
      EmulatedRun{object->value, object->id, run.kernel, run.options.mode,
                  std::move(kernel.executed), thread_trace, run.options.parameters});
  if (!args.capture.empty()) {
    TRY(keep_capture(inputs, args, run, std::move(capture), out));
    out.next = {"replay", "capture info", "capture regions"};
  } else if (!thread_trace.empty()) {
    out.next = {"att summary", "classify " + thread_trace, "advise " + thread_trace};
  } else if (run.options.mode == emu::Mode::modelled) {
    out.next = {"findings run", "advise run", "kernel counts"};
  } else if (run.options.mode == emu::Mode::counted) {
    out.next = {"kernel counts", "kernel counters"};
  }
  // Who runs a kernel once more wants to know what became of it.
  const auto& previous = debugging(debugger).previous_run;
  if (run.options.mode != emu::Mode::functional && previous && previous->kernel == run.kernel)
    out.next.emplace_back("list --against run");
  return out;
}

}  // namespace rpl
