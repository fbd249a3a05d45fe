// SPDX-License-Identifier: MIT
#include "engine/optimize/store/measurements.h"

#include <fmt/format.h>

#include "engine/document/json_parse.h"

namespace rpl {
namespace {

std::string text_of(const Value& value, std::string_view field) {
  const Value* found = value.find(field);
  const std::string* text = found ? found->as<std::string>() : nullptr;
  return text ? *text : "";
}

Value to_value(const KeptMeasurement& measurement) {
  return Value(Record{{"kind", measurement.kind},
                      {"target", measurement.target},
                      {"about", measurement.about},
                      {"capture_code", measurement.capture_code},
                      {"time_source", measurement.time_source},
                      {"noise", Value(measurement.noise)},
                      {"input", to_value(measurement.input)},
                      {"decision", Value(to_record(measurement.decision))}});
}

/// The decision is not read: it follows from the rest.
Result<KeptMeasurement> measurement_from(const Value& value) {
  const Value* input = value.find("input");
  if (!input) return fail(Errc::corrupt, "a kept measurement without samples");
  KeptMeasurement out{.kind = text_of(value, "kind"),
                      .target = text_of(value, "target"),
                      .about = text_of(value, "about"),
                      .capture_code = text_of(value, "capture_code"),
                      .time_source = text_of(value, "time_source"),
                      .noise = std::nullopt,
                      .input = {},
                      .decision = {}};
  out.input = TRY(decision_input_from(*input));
  if (const Value* noise = value.find("noise")) out.noise = noise->number();
  out.decision = TRY(decide(out.input));
  return out;
}

}  // namespace

Result<std::int64_t> keep(Session& session, const KeptMeasurement& measurement) {
  const auto before = TRY(session.events_of(SessionEventKind::measured));
  TRY(session.append({.kind = SessionEventKind::measured,
                      .what = fmt::format("{} {}: {}", measurement.kind, measurement.about,
                                          to_string(measurement.decision.verdict)),
                      .body = to_value(measurement)}));
  return static_cast<std::int64_t>(before.size()) + 1;
}

Result<std::vector<KeptMeasurement>> kept_measurements(Session& session) {
  std::vector<KeptMeasurement> out;
  for (const SessionEvent& event : TRY(session.events_of(SessionEventKind::measured))) {
    out.push_back(TRY(measurement_from(TRY(parse_json(event.body)))));
    out.back().number = static_cast<std::int64_t>(out.size());
  }
  return out;
}

std::optional<double> calibrated_noise(const std::vector<KeptMeasurement>& kept,
                                       std::string_view target, std::string_view capture_code) {
  for (auto one = kept.rbegin(); one != kept.rend(); ++one) {
    if (one->kind == "aa" && one->noise && one->target == target &&
        one->capture_code == capture_code)
      return one->noise;
  }
  return std::nullopt;
}

}  // namespace rpl
