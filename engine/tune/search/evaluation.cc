// SPDX-License-Identifier: MIT
#include "engine/tune/search/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/document/json.h"
#include "engine/document/records.h"

namespace rpl::tune {
namespace {

constexpr std::string_view kSchema = "rpl.tune.cache/1";
constexpr std::size_t kMostSamples = 100'000;

/// All but the configuration, which is read by its space.
constexpr auto kEvaluation = bound_to<Evaluation>(
    column<&Evaluation::ok>("ok"), column<&Evaluation::stage>("stage").or_null().or_default(),
    column<&Evaluation::reason>("reason").or_null().or_default(),
    column<&Evaluation::time_ns>("time_ns"),
    column<&Evaluation::samples_ns>("samples_ns")
        .or_default()
        .only([](double ns) { return ns > 0 && std::isfinite(ns); }, "a time"),
    column<&Evaluation::time_source>("time_source").or_null().or_default(),
    column<&Evaluation::verified>("verified").or_null().or_default(),
    column<&Evaluation::facts>("facts").or_default(),
    column<&Evaluation::wall_ns>("wall_ns").or_default(),
    column<&Evaluation::requeued>("requeued").or_default());

struct CacheDocument {
  Record about;
  Value space;
  List evaluations;
};
constexpr auto kCache = bound_to<CacheDocument>(
    constant<CacheDocument, kSchema>("schema"), column<&CacheDocument::about>("about").or_absent(),
    column<&CacheDocument::space>("space"), column<&CacheDocument::evaluations>("evaluations"));

}  // namespace

std::optional<double> Evaluation::time_ns() const {
  if (!ok || samples_ns.empty()) return std::nullopt;
  std::vector<double> sorted = samples_ns;
  std::ranges::sort(sorted);
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

Value to_value(const Evaluation& evaluation, const Space& space) {
  Record out{{"configuration", Value(space.configuration(evaluation.point))}};
  append(out, kEvaluation, evaluation);
  return Value(std::move(out));
}

Result<Evaluation> evaluation_from(const Value& value, const Space& space,
                                   std::vector<std::string>* notes) {
  const Value* configuration = value.find("configuration");
  const auto* record = configuration == nullptr ? nullptr : configuration->as<Record>();
  if (record == nullptr) return fail(Errc::corrupt, "an evaluation lacks its configuration");
  auto point = space.find(*record);
  if (!point) return fail(Errc::corrupt, point.error().message);
  Evaluation out = TRY(from_value(kEvaluation, value, {}, notes));
  out.point = *point;
  if (!out.ok) out.samples_ns.clear();
  if (out.ok && (out.samples_ns.empty() || out.samples_ns.size() > kMostSamples))
    return fail(Errc::corrupt, "samples_ns: expected times");
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

JsonText cache_text(const CacheFile& file) {
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
  auto document = from_value(kCache, TRY(parse_json(json)));
  if (!document)
    return fail(Errc::corrupt, "this is not a cache of evaluations: " + document.error().message,
                "'tune export' writes one");
  CacheFile out;
  auto read = Space::from_value(document->space);
  if (!read) return fail(Errc::corrupt, "space: " + read.error().message);
  out.space = std::move(*read);
  out.about = std::move(document->about);
  for (std::size_t i = 0; i < document->evaluations.size(); ++i) {
    std::vector<std::string> missing;
    auto one = evaluation_from(document->evaluations[i], out.space, &missing);
    if (!one)
      return fail(Errc::corrupt, fmt::format("evaluation {}: {}", i + 1, one.error().message));
    // The first that lacks something speaks for all.
    if (out.notes.empty()) {
      for (const std::string& key : missing)
        out.notes.push_back(fmt::format("evaluation {}: {}", i + 1, key));
    }
    if (!out.cache.add(std::move(*one)))
      return fail(Errc::corrupt,
                  fmt::format("evaluation {}: its configuration appears twice", i + 1));
  }
  return out;
}

}  // namespace rpl::tune
