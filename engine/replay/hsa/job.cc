// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/job.h"

namespace rpl {
namespace {

Value number_list(const std::vector<std::size_t>& numbers) {
  List out;
  for (const std::size_t number : numbers) out.emplace_back(std::uint64_t{number});
  return Value(std::move(out));
}

Value text_list(const std::vector<std::string>& texts) {
  List out;
  for (const std::string& text : texts) out.emplace_back(text);
  return Value(std::move(out));
}

Value sample_list(const std::vector<double>& numbers) {
  List out;
  for (const double number : numbers) out.emplace_back(number);
  return Value(std::move(out));
}

/// Reads fields of one record; what is missing or of another type is told once, at the end.
class Fields {
 public:
  explicit Fields(const Value& value) : value_(value) {}

  std::string text(std::string_view key) {
    const auto* found = get<std::string>(key);
    return found == nullptr ? std::string() : *found;
  }
  std::int64_t integer(std::string_view key) {
    const auto* found = get<std::int64_t>(key);
    return found == nullptr ? 0 : *found;
  }
  double number(std::string_view key) {
    const Value* found = value_.find(key);
    const auto as_double = found == nullptr ? std::nullopt : found->number();
    if (!as_double) note(key);
    return as_double.value_or(0);
  }
  bool truth(std::string_view key) {
    const auto* found = get<bool>(key);
    return found != nullptr && *found;
  }
  const List& list(std::string_view key) {
    static const List kNone;
    const auto* found = get<List>(key);
    return found == nullptr ? kNone : *found;
  }
  std::vector<std::size_t> numbers(std::string_view key) {
    std::vector<std::size_t> out;
    for (const Value& one : list(key)) {
      const auto* number = one.as<std::int64_t>();
      if (number == nullptr || *number < 0) {
        note(key);
        return {};
      }
      out.push_back(static_cast<std::size_t>(*number));
    }
    return out;
  }
  std::vector<std::string> texts(std::string_view key) {
    std::vector<std::string> out;
    for (const Value& one : list(key))
      out.push_back(one.as<std::string>() == nullptr ? std::string() : *one.as<std::string>());
    return out;
  }
  std::vector<double> samples(std::string_view key) {
    std::vector<double> out;
    for (const Value& one : list(key)) out.push_back(one.number().value_or(0));
    return out;
  }
  std::uint64_t address(std::string_view key) { return static_cast<std::uint64_t>(integer(key)); }
  [[nodiscard]] const Value* find(std::string_view key) const { return value_.find(key); }

  [[nodiscard]] Status finish(std::string_view file) const {
    if (wrong_.empty()) return {};
    return fail(Errc::corrupt, fmt::format("{}: '{}' is missing or no such value", file, wrong_));
  }

 private:
  template <class T>
  const T* get(std::string_view key) {
    const Value* found = value_.find(key);
    const T* as = found == nullptr ? nullptr : found->as<T>();
    if (as == nullptr) note(key);
    return as;
  }
  void note(std::string_view key) {
    if (wrong_.empty()) wrong_ = key;
  }

  const Value& value_;
  std::string wrong_;
};

Value device_value(const DeviceRun& run) {
  return Value(Record{{"agent", Value(run.agent)},
                      {"product", Value(run.product)},
                      {"runtime_version", Value(run.runtime_version)},
                      {"rocm_version", Value(run.rocm_version)},
                      {"pid", Value(run.pid)},
                      {"ticks_per_s", Value(run.ticks_per_s)},
                      {"kernarg_placement", Value(run.kernarg_placement)},
                      {"load_base", Value(static_cast<std::int64_t>(run.load_base))},
                      {"placements", text_list(run.placements)},
                      {"restored_bytes", Value(static_cast<std::int64_t>(run.restored_bytes))},
                      {"setup_ns", Value(run.setup_ns)},
                      {"restore_ns", Value(run.restore_ns)},
                      {"host_ns", sample_list(run.host_ns)}});
}

DeviceRun device_from(Fields& fields) {
  DeviceRun run;
  run.agent = fields.text("agent");
  run.product = fields.text("product");
  run.runtime_version = fields.text("runtime_version");
  run.rocm_version = fields.text("rocm_version");
  run.pid = fields.integer("pid");
  run.ticks_per_s = fields.number("ticks_per_s");
  run.kernarg_placement = fields.text("kernarg_placement");
  run.load_base = fields.address("load_base");
  run.placements = fields.texts("placements");
  run.restored_bytes = fields.address("restored_bytes");
  run.setup_ns = fields.number("setup_ns");
  run.restore_ns = fields.number("restore_ns");
  run.host_ns = fields.samples("host_ns");
  return run;
}

Value differences_value(const ImageComparison& image) {
  List out;
  for (const ImageDifference& difference : image.differences) {
    out.emplace_back(Record{{"region", Value(std::uint64_t{difference.region})},
                            {"first_offset", Value(difference.first_offset)},
                            {"differing_bytes", Value(difference.differing_bytes)}});
  }
  return Value(std::move(out));
}

Result<ImageComparison> image_from(Fields& fields) {
  ImageComparison image;
  const std::string match = fields.text("image");
  for (const ImageMatch each :
       {ImageMatch::matched, ImageMatch::differs, ImageMatch::not_captured}) {
    if (match == to_string(each)) image.match = each;
  }
  for (const Value& one : fields.list("differences")) {
    Fields difference(one);
    image.differences.push_back({.region = static_cast<std::size_t>(difference.integer("region")),
                                 .first_offset = difference.address("first_offset"),
                                 .differing_bytes = difference.address("differing_bytes")});
    TRY(difference.finish(kResultFile));
  }
  return image;
}

}  // namespace

std::string memory_file(std::size_t region) { return fmt::format("region_{}.bin", region); }
std::string other_memory_file(std::size_t region) {
  return fmt::format("other_region_{}.bin", region);
}

Value to_value(const ReplayJobFile& job) {
  List ranges;
  for (const PageRange& range : job.ranges)
    ranges.emplace_back(Record{{"base", Value(static_cast<std::int64_t>(range.base))},
                               {"bytes", Value(static_cast<std::int64_t>(range.bytes))}});
  return Value(Record{{"capture", Value(job.capture)},
                      {"variant", Value(job.variant)},
                      {"other", Value(job.other)},
                      {"sides", number_list(job.sides)},
                      {"kernel", Value(job.kernel)},
                      {"iterations", Value(job.iterations)},
                      {"warmup", Value(job.warmup)},
                      {"timeout_ms", Value(job.timeout_ms)},
                      {"recopy", Value(job.recopy)},
                      {"cold", Value(job.cold)},
                      {"reserve_only", Value(job.reserve_only)},
                      {"host_regions", number_list(job.host_regions)},
                      {"ranges", Value(std::move(ranges))}});
}

Result<ReplayJobFile> job_from(const Value& value) {
  Fields fields(value);
  ReplayJobFile job{.capture = fields.text("capture"),
                    .variant = fields.text("variant"),
                    .other = fields.text("other"),
                    .sides = fields.numbers("sides"),
                    .kernel = fields.text("kernel"),
                    .host_regions = {},
                    .ranges = {}};
  job.iterations = fields.integer("iterations");
  job.warmup = fields.integer("warmup");
  job.timeout_ms = fields.integer("timeout_ms");
  job.recopy = fields.truth("recopy");
  job.cold = fields.truth("cold");
  job.reserve_only = fields.truth("reserve_only");
  job.host_regions = fields.numbers("host_regions");
  for (const Value& one : fields.list("ranges")) {
    Fields range(one);
    job.ranges.push_back({.base = range.address("base"), .bytes = range.address("bytes")});
    TRY(range.finish(kJobFile));
  }
  TRY(fields.finish(kJobFile));
  return job;
}

Value to_value(const ReplayResultFile& result) {
  Value error;
  if (result.error) {
    error = Value(Record{{"code", Value(to_string(result.error->code))},
                         {"message", Value(result.error->message)},
                         {"hint", Value(result.error->hint)}});
  }
  List conflicts;
  for (const PlaceConflict& conflict : result.conflicts) {
    conflicts.emplace_back(Record{{"base", Value(static_cast<std::int64_t>(conflict.base))},
                                  {"bytes", Value(static_cast<std::int64_t>(conflict.bytes))},
                                  {"got", Value(static_cast<std::int64_t>(conflict.got))},
                                  {"in_the_way", text_list(conflict.in_the_way)}});
  }
  const ReplaySeries& series = result.series;
  return Value(Record{{"error", std::move(error)},
                      {"conflicts", Value(std::move(conflicts))},
                      {"randomized", Value(result.randomized)},
                      {"kernel", Value(series.kernel)},
                      {"raw_ns", sample_list(series.raw_ns)},
                      {"image", Value(to_string(series.image.match))},
                      {"differences", differences_value(series.image)},
                      {"differing", number_list(result.differing)},
                      {"other_differing", number_list(result.other_differing)},
                      {"last_equals_first", Value(series.last_equals_first)},
                      {"notes", text_list(series.notes)},
                      {"device", series.device ? device_value(*series.device) : Value()}});
}

Result<ReplayResultFile> result_from(const Value& value) {
  Fields fields(value);
  ReplayResultFile result;
  if (const Value* error = fields.find("error"); error != nullptr && !error->is_null()) {
    Fields parts(*error);
    result.error =
        Error(errc_from_string(parts.text("code")), parts.text("message"), parts.text("hint"));
    TRY(parts.finish(kResultFile));
  }
  for (const Value& one : fields.list("conflicts")) {
    Fields conflict(one);
    result.conflicts.push_back({.base = conflict.address("base"),
                                .bytes = conflict.address("bytes"),
                                .got = conflict.address("got"),
                                .in_the_way = conflict.texts("in_the_way")});
    TRY(conflict.finish(kResultFile));
  }
  result.randomized = fields.truth("randomized");
  ReplaySeries& series = result.series;
  series.kernel = fields.text("kernel");
  series.raw_ns = fields.samples("raw_ns");
  series.time_source = "measured";
  series.image = TRY(image_from(fields));
  result.differing = fields.numbers("differing");
  result.other_differing = fields.numbers("other_differing");
  if (const Value* equal = fields.find("last_equals_first");
      equal != nullptr && equal->as<bool>() != nullptr)
    series.last_equals_first = *equal->as<bool>();
  series.notes = fields.texts("notes");
  if (const Value* device = fields.find("device"); device != nullptr && !device->is_null()) {
    Fields parts(*device);
    series.device = device_from(parts);
    TRY(parts.finish(kResultFile));
  }
  TRY(fields.finish(kResultFile));
  return result;
}

}  // namespace rpl
