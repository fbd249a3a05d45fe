// SPDX-License-Identifier: MIT
#include "shell/commands/capture/replay_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "engine/optimize/verify/value_compare.h"
#include "shell/commands/capture/kernel_report.h"
#include "shell/commands/debug/debugging.h"

namespace rpl {
namespace {

constexpr double kNsPerUs = 1000;

/// What numbers of an argument's type say of memory that differs.
struct NumericDifference {
  ValueComparison values;
  [[nodiscard]] bool is_close() const { return values.mismatches == 0; }
};

/// Nothing where the type is not known.
std::optional<NumericDifference> numeric_difference(const Capture& capture,
                                                    const ReplaySeries& series,
                                                    std::size_t region) {
  const auto found = series.differing.find(region);
  const auto argument = std::ranges::find_if(capture.arguments, [&](const CapturedArgument& one) {
    return one.buffer && one.region == region && one.element;
  });
  if (found == series.differing.end() || argument == capture.arguments.end()) return std::nullopt;
  const Element element = *argument->element;
  const std::size_t bytes = found->second.size() / size_of(element) * size_of(element);
  if (bytes != found->second.size()) return std::nullopt;
  return NumericDifference{compare_values(element, after_of(capture.regions[region]), found->second,
                                          default_tolerance(element))};
}

Value timing_record(const std::optional<SampleStatistics>& times) {
  const auto us = [&](double SampleStatistics::* member) {
    return times ? Value((*times).*member / kNsPerUs) : Value();
  };
  return Value(Record{{"unit", Value("microseconds")},
                      {"average", us(&SampleStatistics::mean)},
                      {"min", us(&SampleStatistics::min)},
                      {"max", us(&SampleStatistics::max)},
                      {"median", us(&SampleStatistics::median)},
                      {"p5", us(&SampleStatistics::p5)},
                      {"p95", us(&SampleStatistics::p95)},
                      {"stdev", us(&SampleStatistics::stdev)}});
}

List numbers(const std::vector<double>& values) {
  List out;
  for (const double value : values) out.emplace_back(value);
  return out;
}

Value device_record(const DeviceRun& run) {
  return Value(Record{{"product", Value(run.product)},
                      {"hsa_version", Value(run.runtime_version)},
                      {"ticks_per_s", Value(run.ticks_per_s)},
                      {"kernarg", Value(run.kernarg_placement)},
                      {"load_base", Value(hex(run.load_base))},
                      {"restored_bytes", Value(run.restored_bytes)},
                      {"restore_ns", Value(run.restore_ns)},
                      {"setup_ns", Value(run.setup_ns)},
                      {"attempts", Value(run.attempts)}});
}

/// What became of one region.
struct RegionVerdict {
  std::string_view match;
  const ImageDifference* difference = nullptr;
  std::optional<NumericDifference> numeric;
};

RegionVerdict verdict_of(const Replayed& what, const ReplaySeries& series, std::size_t region,
                         bool may_be_close) {
  const auto& differences = series.image.differences;
  const auto found = std::ranges::find(differences, region, &ImageDifference::region);
  if (found == differences.end()) {
    return {
        .match = to_string(series.image.match == ImageMatch::not_captured ? ImageMatch::not_captured
                                                                          : ImageMatch::matched),
        .numeric = {}};
  }
  RegionVerdict out{.match = to_string(ImageMatch::differs),
                    .difference = &*found,
                    .numeric = numeric_difference(*what.capture.value, series, region)};
  if (may_be_close && out.numeric && out.numeric->is_close()) out.match = "close";
  return out;
}

void add_regions(const Replayed& what, const ReplaySeries& series,
                 const std::vector<RegionVerdict>& verdicts, Document& out) {
  const Capture& capture = *what.capture.value;
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    const CapturedRegion& region = capture.regions[i];
    const RegionVerdict& verdict = verdicts[i];
    const auto of = [&](auto value) {
      return verdict.difference == nullptr ? Value() : Value(value(*verdict.difference));
    };
    const auto numeric = [&](auto value) {
      return verdict.numeric ? Value(value(verdict.numeric->values)) : Value();
    };
    out.rows.push_back({Value(region.name), Value(hex(region.base)), Value(region.size),
                        Value(verdict.match),
                        of([](const ImageDifference& d) { return d.differing_bytes; }),
                        of([](const ImageDifference& d) { return d.first_offset; }),
                        numeric([](const ValueComparison& v) { return v.mismatches; }),
                        numeric([](const ValueComparison& v) { return v.max_relative; }),
                        series.device ? Value(series.device->placements.at(i)) : Value()});
  }
}

/// A capture whose own code object leaves other memory is a failure; a variant may differ, in the last bit of a sum for example.
void judge(const Replayed& what, const ReplaySeries& series,
           const std::vector<RegionVerdict>& verdicts, Document& out) {
  const bool differs = std::ranges::any_of(verdicts, [](const RegionVerdict& one) {
    return one.match == to_string(ImageMatch::differs);
  });
  const bool close = !differs && series.image.match == ImageMatch::differs;
  out.set("post_image", close ? "close" : to_string(series.image.match));
  if (close)
    out.notes.emplace_back(
        "bytes differ from the post image, and no number by more than its type's tolerance");
  if (differs && what.plan.object != nullptr)
    out.notes.emplace_back("the variant leaves other bytes than the captured kernel did");
  if (differs && what.plan.object == nullptr) {
    out.notes.emplace_back("memory after the replay is not what the capture holds");
    out.exit_code = exit_status(Errc::verification_failed);
  }
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (!verdicts[i].numeric) continue;
    const ValueComparison& values = verdicts[i].numeric->values;
    out.notes.push_back(
        fmt::format("{}: {} of {} numbers differ by more than their type's tolerance; largest "
                    "relative difference {:.2g}",
                    what.capture.value->regions[i].name, values.mismatches, values.elements,
                    values.max_relative));
  }
  if (series.last_equals_first == false) {
    out.notes.emplace_back(
        "the last iteration left other memory than the first, though both started from the "
        "captured one");
    if (what.plan.object == nullptr && !close)
      out.exit_code = exit_status(Errc::verification_failed);
  }
}

void set_target(const Replayed& what, const ReplaySeries& series, Document& out) {
  const Capture& capture = *what.capture.value;
  const std::string_view arch = what.plan.object ? to_string(what.plan.object->arch())
                                                 : std::string_view(capture.architecture);
  const std::int64_t pid =
      series.device ? series.device->pid : static_cast<std::int64_t>(::getpid());
  const std::string version = series.device ? series.device->rocm_version : std::string();
  out.set("environment",
          Value(Record{
              {"gpu_agent", Value(series.device ? std::string_view(series.device->agent) : arch)},
              {"rocm_version", version.empty() ? Value() : Value(version)},
              {"pid", Value(pid)}}));
  if (arch != capture.architecture)
    out.notes.push_back(fmt::format("compiled again: the code is for {}, the capture is of {}",
                                    arch, capture.architecture));
}

}  // namespace

Document replay_document(const Replayed& what, const ReplaySeries& series,
                         std::string_view target) {
  const ReplayPlan& plan = what.plan;
  const bool on_gpu = series.device.has_value();
  Document out;
  const auto times = statistics_of(series.raw_ns);
  out.set("capture", what.capture.id);
  out.set("kernel",
          Value(Record{{"name", Value(series.kernel)}, {"hsaco_path", Value(what.object_path)}}));
  Record execution{{"iterations", Value(plan.iterations)},
                   {"mode", Value(plan.recopy ? "stateless" : "stateful")}};
  if (on_gpu)
    execution.insert(execution.end(), {{"warmup", Value(plan.warmup)},
                                       {"caches", Value(plan.cold ? "cold" : "warm")}});
  out.set("execution", Value(std::move(execution)));
  out.set("timing", timing_record(times));
  set_target(what, series, out);
  out.set("target", target);
  out.set("median_ns", times ? Value(times->median) : Value());
  out.set("raw_ns", Value(numbers(series.raw_ns)));
  out.set("host_ns", on_gpu ? Value(numbers(series.device->host_ns)) : Value());
  out.set("time_source", series.time_source);
  std::vector<RegionVerdict> verdicts;
  for (std::size_t i = 0; i < what.capture.value->regions.size(); ++i)
    verdicts.push_back(verdict_of(what, series, i, on_gpu));
  judge(what, series, verdicts, out);
  if (series.last_equals_first) out.set("iterations_equal", *series.last_equals_first);
  if (on_gpu) out.set("device", device_record(*series.device));
  if (series.executed) set_executed(*series.executed, emu::Mode::modelled, out);
  add_regions(what, series, verdicts, out);
  out.notes.insert(out.notes.end(), what.capture.value->cautions.begin(),
                   what.capture.value->cautions.end());
  if (series.executed) add_fidelity_notes(*series.executed, out);
  out.notes.insert(out.notes.end(), series.notes.begin(), series.notes.end());
  if (on_gpu) out.provenance = Provenance::measured;
  return out;
}

std::vector<Column> replay_fields() {
  std::vector<Column> fields{
      {"capture", Type::id, Unit::none, "the capture, now open"},
      {"kernel", Type::record, Unit::none, "name, and hsaco_path: the code object that ran"},
      {"execution", Type::record, Unit::none,
       "iterations, and mode: stateless (memory restored before each) or stateful; on a GPU also "
       "warmup, and caches: warm or cold"},
      {"timing", Type::record, Unit::none,
       "average, min, max, median, 5th and 95th percentile and standard deviation over the "
       "iterations, and their unit"},
      {"environment", Type::record, Unit::none,
       "gpu_agent, rocm_version (null where it is not known), pid", InText::never},
      {"target", Type::string, Unit::none, "where it ran: emu or local"},
      {"median_ns", Type::number, Unit::ns, "median over the iterations"},
      {"raw_ns", Type::any, Unit::ns, "time of each iteration", InText::never},
      {"host_ns", Type::any, Unit::ns,
       "on a GPU, by the host's clock: from ringing the doorbell to the completion signal, of each "
       "iteration",
       InText::never},
      {"time_source", Type::string, Unit::none,
       "modelled: cycles of the model at its clock; measured: the GPU's time stamps"},
      {"post_image", Type::string, Unit::none,
       "matched, close, differs or not-captured: memory after the first iteration against the "
       "capture; close, on a GPU: no number differs by more than its "
       "type's tolerance"},
      {"iterations_equal", Type::boolean, Unit::none,
       "of stateless replays with several iterations: whether the last left the same memory as the "
       "first",
       InText::never},
      {"device", Type::record, Unit::none,
       "of a GPU: product, hsa_version, ticks_per_s (frequency of time stamps), kernarg (where the "
       "arguments lay), load_base (of the code), restored_bytes and "
       "restore_ns (before each iteration), setup_ns, attempts (processes until memory could be "
       "placed)"}};
  for (auto& field : executed_fields()) fields.push_back(std::move(field));
  add_stop_fields(fields);
  return fields;
}

std::vector<Column> replay_columns() {
  return {
      {"region", Type::string, Unit::none, "what the memory is"},
      {"base", Type::address, Unit::none, "its address"},
      {"size_bytes", Type::integer, Unit::bytes, "its size"},
      {"post_image", Type::string, Unit::none, "matched, close, differs or not-captured"},
      {"differing_bytes", Type::integer, Unit::bytes, "bytes that differ"},
      {"first_offset", Type::integer, Unit::none, "offset of the first of them", InText::if_room},
      {"mismatches", Type::integer, Unit::count,
       "numbers that differ by more than their type's tolerance, where the type is known",
       InText::never},
      {"max_relative", Type::number, Unit::ratio, "largest relative difference of a number",
       InText::never},
      {"placement", Type::string, Unit::none,
       "on a GPU, where it lay: device, host, variable, or absent (the code has no such variable)",
       InText::never}};
}

}  // namespace rpl
