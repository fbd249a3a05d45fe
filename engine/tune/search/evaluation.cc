// SPDX-License-Identifier: MIT
#include "engine/tune/search/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/document/json_parse.h"
#include "engine/document/json_text.h"

namespace rpl::tune {
namespace {

constexpr std::string_view kSchema = "rpl.tune.cache/1";
constexpr std::size_t kMostSamples = 100'000;

std::string text_at(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  const auto* text = found == nullptr ? nullptr : found->as<std::string>();
  return text == nullptr ? std::string() : *text;
}

std::int64_t count_at(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  const auto* number = found == nullptr ? nullptr : found->as<std::int64_t>();
  return number == nullptr ? 0 : std::max<std::int64_t>(*number, 0);
}

Result<std::vector<double>> samples_at(const Value& value) {
  std::vector<double> out;
  const Value* found = value.find("samples_ns");
  const auto* list = found == nullptr ? nullptr : found->as<List>();
  if (list == nullptr || list->empty() || list->size() > kMostSamples)
    return fail(Errc::corrupt, "samples_ns is not a list of times");
  for (const Value& item : *list) {
    const auto number = item.number();
    if (!number || !std::isfinite(*number) || *number <= 0)
      return fail(Errc::corrupt, "samples_ns holds what is not a time");
    out.push_back(*number);
  }
  return out;
}

}  // namespace

std::optional<double> Evaluation::time_ns() const {
  if (!ok || samples_ns.empty()) return std::nullopt;
  std::vector<double> sorted = samples_ns;
  std::ranges::sort(sorted);
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

Value to_value(const Evaluation& evaluation, const Space& space) {
  List samples;
  for (const double sample : evaluation.samples_ns) samples.emplace_back(sample);
  return Value(Record{{"configuration", Value(space.configuration(evaluation.point))},
                      {"ok", Value(evaluation.ok)},
                      {"stage", Value::known(evaluation.stage)},
                      {"reason", Value::known(evaluation.reason)},
                      {"time_ns", Value(evaluation.time_ns())},
                      {"samples_ns", Value(std::move(samples))},
                      {"time_source", Value::known(evaluation.time_source)},
                      {"verified", Value::known(evaluation.verified)},
                      {"facts", Value(evaluation.facts)},
                      {"wall_ns", Value(evaluation.wall_ns)},
                      {"requeued", Value(evaluation.requeued)}});
}

Result<Evaluation> evaluation_from(const Value& value, const Space& space) {
  const Value *configuration = value.find("configuration"), *ok = value.find("ok"),
              *facts = value.find("facts");
  const auto* record = configuration == nullptr ? nullptr : configuration->as<Record>();
  if (record == nullptr) return fail(Errc::corrupt, "an evaluation lacks its configuration");
  auto point = space.find(*record);
  if (!point) return fail(Errc::corrupt, point.error().message);
  Evaluation out{
      .point = *point, .stage = text_at(value, "stage"), .reason = text_at(value, "reason")};
  const bool* truth = ok == nullptr ? nullptr : ok->as<bool>();
  if (truth == nullptr) return fail(Errc::corrupt, "an evaluation does not say whether it is ok");
  out.ok = *truth;
  if (out.ok) out.samples_ns = TRY(samples_at(value));
  out.time_source = text_at(value, "time_source");
  out.verified = text_at(value, "verified");
  if (facts != nullptr && facts->as<Record>() != nullptr) out.facts = *facts->as<Record>();
  out.wall_ns = count_at(value, "wall_ns");
  out.requeued = count_at(value, "requeued");
  return out;
}

bool Cache::add(Evaluation evaluation) {
  if (!by_point_.try_emplace(evaluation.point, all_.size()).second) return false;
  all_.push_back(std::move(evaluation));
  return true;
}

const Evaluation* Cache::find(std::size_t point) const {
  const auto found = by_point_.find(point);
  return found == by_point_.end() ? nullptr : &all_[found->second];
}

std::size_t Cache::failures() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(all_, [](const Evaluation& one) { return !one.ok; }));
}

const Evaluation* Cache::best() const {
  const Evaluation* out = nullptr;
  for (const Evaluation& one : all_) {
    const auto time = one.time_ns();
    if (time && (out == nullptr || *time < *out->time_ns())) out = &one;
  }
  return out;
}

std::string cache_text(const CacheFile& file) {
  // One evaluation a line, so that files can be compared and cut.
  constexpr JsonLayout kLines{JsonStyle::spaced, "{", ",\n", "\n", "\n]", "}\n"};
  JsonStream out(kLines);
  out.member("schema", Value(kSchema)).member("about", Value(file.about));
  out.member("space", file.space.to_value()).begin_rows("evaluations");
  for (const Evaluation& one : file.cache.all()) out.row(to_value(one, file.space));
  out.end_rows();
  return out.text();
}

Result<CacheFile> read_cache(std::string_view json) {
  const Value document = TRY(parse_json(json));
  if (text_at(document, "schema") != kSchema)
    return fail(Errc::corrupt,
                fmt::format("this is not a cache of evaluations: its schema is '{}'",
                            text_at(document, "schema")),
                "'tune export' writes one");
  const Value *space = document.find("space"), *evaluations = document.find("evaluations"),
              *about = document.find("about");
  const auto* list = evaluations == nullptr ? nullptr : evaluations->as<List>();
  if (space == nullptr || list == nullptr)
    return fail(Errc::corrupt, "the cache lacks its space or its evaluations");
  CacheFile out;
  auto read = Space::from_value(*space);
  if (!read) return fail(Errc::corrupt, "space: " + read.error().message);
  out.space = std::move(*read);
  if (about != nullptr && about->as<Record>() != nullptr) out.about = *about->as<Record>();
  for (std::size_t i = 0; i < list->size(); ++i) {
    auto one = evaluation_from((*list)[i], out.space);
    if (!one)
      return fail(Errc::corrupt, fmt::format("evaluation {}: {}", i + 1, one.error().message));
    if (!out.cache.add(std::move(*one)))
      return fail(Errc::corrupt,
                  fmt::format("evaluation {}: its configuration appears twice", i + 1));
  }
  return out;
}

}  // namespace rpl::tune
