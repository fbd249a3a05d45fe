// SPDX-License-Identifier: MIT
#include "shell/commands/capture/replay_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "engine/capture/dispatches.h"
#include "engine/capture/memory_step.h"
#include "engine/optimize/verify/value_compare.h"
#include "shell/commands/capture/kernel_report.h"
#include "shell/commands/debug/debugging.h"

namespace rpl {
namespace {

struct Execution {
  std::int64_t iterations = 1;
  std::string_view mode;
  std::optional<std::int64_t> warmup = {};
  std::optional<std::string_view> caches = {};
};
constexpr auto kExecutionFields = bound_to<Execution>(
    column<&Execution::iterations>("iterations", "how often it ran"),
    column<&Execution::mode>("mode", "stateless (memory restored before each) or stateful"),
    column<&Execution::warmup>("warmup", "on a GPU: runs before them").if_known(),
    column<&Execution::caches>("caches", "on a GPU: warm or cold").if_known());
Columns<Execution> bound(const Execution* /*of*/) { return kExecutionFields; }

template <double SampleStatistics::* Member>
double us(const SampleStatistics& times) {
  constexpr double kNsPerUs = 1000;
  return times.*Member / kNsPerUs;
}

struct Timing {
  std::string_view unit = "microseconds";
  std::optional<SampleStatistics> times;
};
constexpr auto kTimingFields = bound_to<Timing>(
    column<&Timing::unit>("unit", "of all of them"),
    column<&Timing::times, &us<&SampleStatistics::mean>>("average", "over the iterations"),
    column<&Timing::times, &us<&SampleStatistics::min>>("min", "over the iterations"),
    column<&Timing::times, &us<&SampleStatistics::max>>("max", "over the iterations"),
    column<&Timing::times, &us<&SampleStatistics::median>>("median", "over the iterations"),
    column<&Timing::times, &us<&SampleStatistics::p5>>("p5", "5th percentile"),
    column<&Timing::times, &us<&SampleStatistics::p95>>("p95", "95th percentile"),
    column<&Timing::times, &us<&SampleStatistics::stdev>>("stdev", "standard deviation"));
Columns<Timing> bound(const Timing* /*of*/) { return kTimingFields; }

struct Environment {
  std::string_view gpu_agent;
  std::string rocm_version;
  std::int64_t pid = 0;
};
constexpr auto kEnvironmentFields = bound_to<Environment>(
    column<&Environment::gpu_agent>("gpu_agent", "its architecture"),
    column<&Environment::rocm_version>("rocm_version", "of the installation").or_null(),
    column<&Environment::pid>("pid", "process that ran it").in(Unit::none));
Columns<Environment> bound(const Environment* /*of*/) { return kEnvironmentFields; }

struct Device {
  const DeviceRun* run = nullptr;
};
constexpr auto kDeviceFields = bound_to<Device>(
    column<&Device::run, &DeviceRun::product>("product", "of the GPU"),
    column<&Device::run, &DeviceRun::runtime_version>("hsa_version", "of the HSA runtime"),
    column<&Device::run, &DeviceRun::ticks_per_s>("ticks_per_s", "frequency of time stamps"),
    column<&Device::run, &DeviceRun::kernarg_placement>("kernarg", "where the arguments lay"),
    column<&Device::run, &DeviceRun::load_base>("load_base", "of the code").as(Type::address),
    column<&Device::run, &DeviceRun::restored_bytes>("restored_bytes", "before each iteration"),
    column<&Device::run, &DeviceRun::restore_ns>("restore_ns", "host time of that"),
    column<&Device::run, &DeviceRun::setup_ns>("setup_ns", "until the first iteration"),
    column<&Device::run, &DeviceRun::attempts>("attempts",
                                               "processes until memory could be placed"));
Columns<Device> bound(const Device* /*of*/) { return kDeviceFields; }

/// One of several dispatches.
struct DispatchTime {
  std::size_t number = 1;
  std::string kernel;
  double time_ns = 0;
};
constexpr auto kDispatchTimeFields =
    bound_to<DispatchTime>(column<&DispatchTime::number>("number", "in the capture, from 1"),
                           column<&DispatchTime::kernel>("kernel", "that ran").as(Type::kernel),
                           column<&DispatchTime::time_ns>("time_ns", "in the last iteration"));
Columns<DispatchTime> bound(const DispatchTime* /*of*/) { return kDispatchTimeFields; }

std::optional<std::vector<DispatchTime>> dispatch_times(const Capture& capture,
                                                        const ReplaySeries& series) {
  if (series.each_ns.empty()) return std::nullopt;
  std::vector<DispatchTime> out;
  for (std::size_t i = 0; i < series.each_ns.size(); ++i)
    out.push_back(
        {i + 1, i == 0 ? series.kernel : dispatch_view(capture, i).kernel, series.each_ns[i]});
  return out;
}

/// A copy or a fill between two of them.
struct StepTime {
  std::size_t before = 2;
  MemoryStep::Kind kind = MemoryStep::Kind::copy;
  std::string region;
  std::uint64_t bytes = 0;
  double time_ns = 0;
};
constexpr auto kStepTimeFields = bound_to<StepTime>(
    column<&StepTime::before>("before", "number of the dispatch that it comes before"),
    column<&StepTime::kind>("kind",
                            "copy within captured memory, fill, or upload (the host brought it)"),
    column<&StepTime::region>("region", "the memory that it changed"),
    column<&StepTime::bytes>("bytes", "that it changed"),
    column<&StepTime::time_ns>("time_ns", "on the device that was captured"));
Columns<StepTime> bound(const StepTime* /*of*/) { return kStepTimeFields; }

std::optional<std::vector<StepTime>> step_times(const Capture& capture) {
  if (step_count(capture) == 0) return std::nullopt;
  std::vector<StepTime> out;
  for (std::size_t i = 0; i < capture.then.size(); ++i) {
    for (const MemoryStep& step : capture.then[i].steps) {
      const auto region = region_holding(capture.regions, step.to, step.extent(step.to_pitch));
      out.push_back({i + 2, step.kind, region ? capture.regions[*region].name : std::string(),
                     step.bytes(), step.time_ns});
    }
  }
  return out;
}

/// What became of one region.
struct RegionVerdict {
  const CapturedRegion* region = nullptr;
  std::string_view match;
  const ImageDifference* difference = nullptr;
  std::optional<ValueComparison> numbers = {};  ///< where the type of the argument is known
  std::optional<std::string> placement = {};
};
constexpr auto kVerdictColumns = bound_to<RegionVerdict>(
    column<&RegionVerdict::region, &CapturedRegion::name>("region", "what the memory is"),
    column<&RegionVerdict::region, &CapturedRegion::base>("base", "its address").as(Type::address),
    column<&RegionVerdict::region, &CapturedRegion::size>("size_bytes", "its size"),
    column<&RegionVerdict::match>("post_image", "matched, close, differs or not-captured"),
    column<&RegionVerdict::difference, &ImageDifference::differing_bytes>("differing_bytes",
                                                                          "bytes that differ"),
    column<&RegionVerdict::difference, &ImageDifference::first_offset>(
        "first_offset", "offset of the first of them")
        .in(Unit::none)
        .if_room(),
    column<&RegionVerdict::numbers, &ValueComparison::mismatches>(
        "mismatches",
        "numbers that differ by more than their type's tolerance, where the type is known")
        .never(),
    column<&RegionVerdict::numbers, &ValueComparison::max_relative>(
        "max_relative", "largest relative difference of a number")
        .in(Unit::ratio)
        .never(),
    column<&RegionVerdict::placement>(
        "placement",
        "on a GPU, where it lay: device, host, variable, or absent (the code has no such variable)")
        .never());

/// All that the document says beside the counts of the emulated device.
struct ReplayReport {
  ReplayedKernel of;
  const ReplaySeries* series = nullptr;
  TargetKind target = TargetKind::emu;
  Execution execution;
  Timing timing;
  Environment environment;
  std::string_view post_image = {};
  std::optional<Device> device = {};
  std::optional<std::vector<DispatchTime>> dispatches = {};
  std::optional<std::vector<StepTime>> steps = {};
};
constexpr auto kReportFields = bound_to<ReplayReport>(
    through<kReplayedKernelFields, &ReplayReport::of>(),
    column<&ReplayReport::execution>(
        "execution",
        "iterations, and mode: stateless (memory restored before each) or stateful; on a GPU also "
        "warmup, and caches: warm or cold"),
    column<&ReplayReport::timing>("timing",
                                  "average, min, max, median, 5th and 95th percentile and standard "
                                  "deviation over the iterations, and their unit"),
    column<&ReplayReport::environment>("environment",
                                       "gpu_agent, rocm_version (null where it is not known), pid")
        .never(),
    column<&ReplayReport::target>("target", "where it ran: emu or local"),
    column<&ReplayReport::timing, &Timing::times, &SampleStatistics::median>(
        "median_ns", "median over the iterations"),
    column<&ReplayReport::dispatches>(
        "dispatches",
        "of a capture of several: number, kernel and time_ns of each; "
        "all other times and counts are sums, without gaps "
        "between two dispatches")
        .if_known(),
    column<&ReplayReport::steps>("steps",
                                 "copies and fills between dispatches: before (which dispatch), "
                                 "kind, region, bytes, and the time_ns that they had when they "
                                 "were captured, which is part of the sums")
        .if_known(),
    column<&ReplayReport::series, &ReplaySeries::raw_ns>("raw_ns", "time of each iteration")
        .in(Unit::ns)
        .never(),
    column<&ReplayReport::series, &ReplaySeries::device, &DeviceRun::host_ns>(
        "host_ns",
        "on a GPU, by the host's clock: from ringing the doorbell to the completion signal, of "
        "each "
        "iteration")
        .in(Unit::ns)
        .never(),
    column<&ReplayReport::series, &ReplaySeries::time_source>(
        "time_source",
        "modelled: cycles of the model at its clock; measured: the GPU's time stamps"),
    column<&ReplayReport::post_image>(
        "post_image",
        "matched, close, differs or not-captured: memory after the first iteration against the "
        "capture; close, on a GPU: no number differs by more than its type's tolerance"),
    column<&ReplayReport::series, &ReplaySeries::last_equals_first>(
        "iterations_equal",
        "of stateless replays with several iterations: whether the last left the same memory as "
        "the first")
        .never()
        .if_known(),
    column<&ReplayReport::device>(
        "device",
        "of a GPU: product, hsa_version, ticks_per_s (frequency of time stamps), kernarg (where "
        "the arguments lay), load_base (of the code), restored_bytes and restore_ns (before each "
        "iteration), setup_ns, attempts (processes until memory could be placed)")
        .if_known());

/// What numbers of an argument's type say of memory that differs; nothing where the type is not known.
std::optional<ValueComparison> numeric_difference(const Capture& capture,
                                                  const ReplaySeries& series, std::size_t region) {
  const auto found = series.differing.find(region);
  const auto argument = std::ranges::find_if(capture.arguments, [&](const CapturedArgument& one) {
    return one.buffer && one.region == region && one.element;
  });
  if (found == series.differing.end() || argument == capture.arguments.end()) return std::nullopt;
  const Element element = *argument->element;
  const std::size_t bytes = found->second.size() / size_of(element) * size_of(element);
  if (bytes != found->second.size()) return std::nullopt;
  return compare_values(element, after_of(capture.regions[region]), found->second,
                        default_tolerance(element));
}

std::vector<RegionVerdict> verdicts_of(const Capture& capture, const ReplaySeries& series) {
  std::vector<RegionVerdict> out;
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    const auto& differences = series.image.differences;
    const auto found = std::ranges::find(differences, i, &ImageDifference::region);
    RegionVerdict& one = out.emplace_back(
        RegionVerdict{.region = &capture.regions[i], .match = to_string(series.image.match)});
    if (series.device) one.placement = series.device->placements.at(i);
    if (found != differences.end()) {
      one.difference = &*found;
      one.numbers = numeric_difference(capture, series, i);
      const bool close = series.device && one.numbers && one.numbers->mismatches == 0;
      if (close) one.match = "close";
    } else if (series.image.match == ImageMatch::differs) {
      one.match = to_string(ImageMatch::matched);
    }
  }
  return out;
}

/// A capture whose own code object leaves other memory is a failure; a variant may differ, in the last bit of a sum for example.
void judge(const ReplayPlan& plan, const std::vector<RegionVerdict>& verdicts, ReplayReport& report,
           Document& out) {
  const ReplaySeries& series = *report.series;
  const bool differs = std::ranges::any_of(verdicts, [](const RegionVerdict& one) {
    return one.match == to_string(ImageMatch::differs);
  });
  const bool close = !differs && series.image.match == ImageMatch::differs;
  report.post_image = close ? "close" : to_string(series.image.match);
  if (close)
    out.notes.emplace_back(
        "bytes differ from the post image, and no number by more than its type's tolerance");
  if (differs && plan.object != nullptr)
    out.notes.emplace_back("the variant leaves other bytes than the captured kernel did");
  if (differs && plan.object == nullptr) {
    out.notes.emplace_back("memory after the replay is not what the capture holds");
    out.exit_code = exit_status(Errc::verification_failed);
  }
  for (const RegionVerdict& one : verdicts) {
    if (!one.numbers) continue;
    out.notes.push_back(
        fmt::format("{}: {} of {} numbers differ by more than their type's tolerance; largest "
                    "relative difference {:.2g}",
                    one.region->name, one.numbers->mismatches, one.numbers->elements,
                    one.numbers->max_relative));
  }
  if (series.last_equals_first == false) {
    out.notes.emplace_back(
        "the last iteration left other memory than the first, though both started from the "
        "captured one");
    if (plan.object == nullptr && !close) out.exit_code = exit_status(Errc::verification_failed);
  }
}

}  // namespace

Document replay_document(ReplayedKernel of, const ReplayPlan& plan, const ReplaySeries& series,
                         TargetKind target) {
  const Capture& capture = *plan.capture;
  const std::string_view arch = plan.object ? to_string(plan.object->arch()) : capture.architecture;
  of.kernel.name = series.kernel;
  ReplayReport report{
      .of = std::move(of),
      .series = &series,
      .target = target,
      .execution = {.iterations = plan.iterations, .mode = plan.recopy ? "stateless" : "stateful"},
      .timing = {.times = statistics_of(series.raw_ns)},
      .environment = {.gpu_agent = arch, .rocm_version = {}, .pid = ::getpid()}};
  if (series.device) {
    report.execution.warmup = plan.warmup;
    report.execution.caches = plan.cold ? "cold" : "warm";
    report.environment = {series.device->agent, series.device->rocm_version, series.device->pid};
    report.device = Device{&*series.device};
  }
  report.dispatches = dispatch_times(capture, series);
  report.steps = step_times(capture);
  Document out;
  if (arch != capture.architecture)
    out.notes.push_back(fmt::format("compiled again: the code is for {}, the capture is of {}",
                                    arch, capture.architecture));
  const std::vector<RegionVerdict> verdicts = verdicts_of(capture, series);
  judge(plan, verdicts, report, out);
  out.put(kReportFields, report);
  if (series.executed) set_executed(*series.executed, emu::Mode::modelled, out);
  out.table(kVerdictColumns, verdicts);
  out.notes.insert(out.notes.end(), capture.cautions.begin(), capture.cautions.end());
  if (series.executed) add_fidelity_notes(*series.executed, out);
  out.notes.insert(out.notes.end(), series.notes.begin(), series.notes.end());
  out.provenance = traits_of(target).times;
  return out;
}

std::vector<Column> replay_fields() {
  std::vector<Column> fields = described(kReportFields);
  for (auto& field : executed_fields()) fields.push_back(std::move(field));
  add_stop_fields(fields);
  return fields;
}

std::vector<Column> replay_columns() { return described(kVerdictColumns); }

}  // namespace rpl
