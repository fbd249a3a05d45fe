// SPDX-License-Identifier: MIT
// replay: a captured dispatch again.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "engine/base/interrupt.h"
#include "engine/replay/images.h"
#include "engine/replay/replay.h"
#include "shell/command/define.h"
#include "shell/commands/emulated_run.h"
#include "shell/commands/families.h"
#include "shell/commands/kernel_report.h"
#include "shell/commands/opened.h"

namespace rpl {
namespace {

struct ReplayArgs {
  std::string capture, capture_dir, hsaco, kernel, target = "emu";
  std::int64_t iterations = 1, budget = 0;
  bool recopy = true;
};

struct Replayed {
  ReplayRun first, last;
  std::vector<double> raw_ns;
};

Result<Replayed> replay_all(Replayer& replayer, ReplayJob job, const ReplayArgs& args) {
  Replayed all;
  for (std::int64_t i = 0; i < args.iterations; ++i) {
    TRY(interrupt::check());
    ReplayRun run = TRY(replayer.run(job));
    if (run.executed.modelled) all.raw_ns.push_back(run.executed.modelled->time_ns);
    if (!args.recopy) job.memory = run.memory;
    if (i == 0) all.first = run;
    all.last = std::move(run);
  }
  return all;
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Value timing_record(const std::vector<double>& raw_ns) {
  constexpr double kNsPerUs = 1000;
  const auto [least, most] = std::ranges::minmax(raw_ns);
  const double sum = std::accumulate(raw_ns.begin(), raw_ns.end(), 0.0);
  return Value(Record{{"unit", Value("microseconds")},
                      {"average", Value(sum / static_cast<double>(raw_ns.size()) / kNsPerUs)},
                      {"min", Value(least / kNsPerUs)},
                      {"max", Value(most / kNsPerUs)}});
}

void add_regions(const Capture& capture, const ImageComparison& comparison, Document& out) {
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    const CapturedRegion& region = capture.regions[i];
    const auto found = std::ranges::find(comparison.differences, i, &ImageDifference::region);
    const bool differs = found != comparison.differences.end();
    out.rows.push_back(
        {Value(region.name), Value(hex(region.base)), Value(region.size),
         Value(to_string(differs                                        ? ImageMatch::differs
                         : comparison.match == ImageMatch::not_captured ? ImageMatch::not_captured
                                                                        : ImageMatch::matched)),
         differs ? Value(found->differing_bytes) : Value(),
         differs ? Value(found->first_offset) : Value()});
  }
}

/// A capture whose own code object leaves other memory is a failure; a variant may differ, in the last bit of a sum for example.
void judge(const ImageComparison& comparison, bool variant, Document& out) {
  out.set("post_image", to_string(comparison.match));
  if (comparison.match != ImageMatch::differs) return;
  if (variant) {
    out.notes.emplace_back("the variant leaves other bytes than the captured kernel did");
    return;
  }
  out.notes.emplace_back("memory after the replay is not what the capture holds");
  out.exit_code = exit_status(Errc::verification_failed);
}

Result<Document> run_replay(Context& context, const ReplayArgs& args) {
  if (args.iterations < 1) return fail(Errc::usage, "--iterations takes a count from 1");
  if (args.budget < 0) return fail(Errc::usage, "--budget takes a count, 0 or more");
  const auto replayer = TRY(make_replayer(args.target, TRY(emulated_gpu(context))));
  const CaptureEntry entry =
      TRY(capture_named(context, args.capture.empty() ? args.capture_dir : args.capture));
  const Capture& capture = *entry->value;
  ReplayJob job{.capture = &capture, .kernel = args.kernel};
  job.execute.mode = emu::Mode::modelled;
  job.execute.max_instructions = static_cast<std::uint64_t>(args.budget);
  ObjectEntry variant;
  if (!args.hsaco.empty()) {
    variant = TRY(object_named(context, args.hsaco));
    job.object = variant->value;
  }
  const Replayed all = TRY(replay_all(*replayer, job, args));
  Document out;
  const std::string captured_object = entry->path + "/kernel.hsaco";
  out.set("capture", entry->id);
  out.set("kernel",
          Value(Record{{"name", Value(all.last.executed.program->kernel)},
                       {"hsaco_path", Value(variant ? variant->path : captured_object)}}));
  out.set("execution", Value(Record{{"iterations", Value(args.iterations)},
                                    {"mode", Value(args.recopy ? "stateless" : "stateful")}}));
  out.set("timing", timing_record(all.raw_ns));
  out.set("environment", Value(Record{{"gpu_agent", Value(capture.architecture)},
                                      {"rocm_version", Value()},
                                      {"pid", Value(static_cast<std::int64_t>(::getpid()))}}));
  out.set("target", replayer->target());
  out.set("median_ns", median_of(all.raw_ns));
  List raw;
  for (const double ns : all.raw_ns) raw.emplace_back(ns);
  out.set("raw_ns", Value(std::move(raw)));
  out.set("time_source", "modelled");
  // Later runs of a stateful replay start from other memory than the captured one.
  const auto comparison = compare_with_post_image(capture, all.first.memory);
  judge(comparison, variant != nullptr, out);
  set_executed(all.last.executed, emu::Mode::modelled, out);
  add_regions(capture, comparison, out);
  add_fidelity_notes(all.last.executed, out);
  return out;
}

std::vector<Column> replay_fields() {
  std::vector<Column> fields{
      {"capture", Type::id, Unit::none, "the capture, now open"},
      {"kernel", Type::record, Unit::none, "name, and hsaco_path: the code object that ran"},
      {"execution", Type::record, Unit::none,
       "iterations, and mode: stateless (memory restored before each) or stateful"},
      {"timing", Type::record, Unit::none,
       "average, min and max over the iterations, and their unit"},
      {"environment", Type::record, Unit::none,
       "gpu_agent, rocm_version (null on the emulated device), pid", InText::never},
      {"target", Type::string, Unit::none, "where it ran: emu"},
      {"median_ns", Type::number, Unit::ns, "median over the iterations"},
      {"raw_ns", Type::any, Unit::ns, "time of each iteration", InText::never},
      {"time_source", Type::string, Unit::none, "modelled: cycles of the model at its clock"},
      {"post_image", Type::string, Unit::none,
       "matched, differs or not-captured: memory after the first iteration against the capture"}};
  for (auto& field : executed_fields()) fields.push_back(std::move(field));
  return fields;
}

}  // namespace

void add_replay_commands(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "replay",
              .chapter = Class::capture,
              .summary = "Run a captured dispatch again and check what it leaves.",
              .help =
                  "Every region of memory is put back at its captured address, the kernel runs "
                  "with "
                  "the captured arguments, and memory afterwards is compared byte by byte with the "
                  "post image of the capture: `differs` ends with exit status 5. `--hsaco` runs "
                  "another build of the kernel on the same memory; it must take the same "
                  "parameters, and may leave other bytes. With `--no-recopy` each iteration starts "
                  "from what the one before it left. On the emulated device times are modelled and "
                  "equal runs are equal.",
              .fields = replay_fields(),
              .columns = {{"region", Type::string, Unit::none, "what the memory is"},
                          {"base", Type::address, Unit::none, "its address"},
                          {"size_bytes", Type::integer, Unit::bytes, "its size"},
                          {"post_image", Type::string, Unit::none,
                           "matched, differs or not-captured"},
                          {"differing_bytes", Type::integer, Unit::bytes, "bytes that differ"},
                          {"first_offset", Type::integer, Unit::none, "offset of the first of them",
                           InText::if_room}},
              .scalar = "median_ns",
              .aliases = {"replay full-vm"},
              .examples = {"replay CAPTURE", "replay CAPTURE --iterations 3 --no-recopy"},
              .repeatable = true},
          {arg("capture", &ReplayArgs::capture, "capture: a folder or c1; the current one without")
               .completes(Complete::file),
           option("capture-dir", &ReplayArgs::capture_dir, "the same as an option")
               .named("DIR")
               .completes(Complete::file),
           option("iterations", &ReplayArgs::iterations, "how often to run").named("N"),
           flag("recopy", &ReplayArgs::recopy,
                "restore memory before each iteration (the default)"),
           option("hsaco", &ReplayArgs::hsaco, "run this code object instead of the captured one")
               .named("FILE")
               .completes(Complete::file),
           option("kernel", &ReplayArgs::kernel, "its kernel, when not of the captured name")
               .named("NAME"),
           option("target", &ReplayArgs::target, "where to run").one_of({"emu", "local"}),
           option("budget", &ReplayArgs::budget,
                  "wave-instructions after which to give up; 0: no limit")
               .named("N")},
          run_replay));
}

}  // namespace rpl
