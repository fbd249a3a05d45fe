// SPDX-License-Identifier: MIT
#include "engine/optimize/store/measurements.h"

#include <fmt/format.h>

#include "engine/document/json.h"
#include "engine/document/records.h"

namespace rpl {
namespace {

/// The decision is not read: it follows from the rest.
constexpr auto kMeasurement = bound_to<KeptMeasurement>(
    column<&KeptMeasurement::kind>("kind"), column<&KeptMeasurement::target>("target"),
    column<&KeptMeasurement::about>("about"),
    column<&KeptMeasurement::capture_code>("capture_code"),
    column<&KeptMeasurement::time_source>("time_source"), column<&KeptMeasurement::noise>("noise"),
    column<&KeptMeasurement::input>("input"),
    column<&KeptMeasurement::decision, &to_record>("decision"));

Result<KeptMeasurement> measurement_from(const Value& value) {
  KeptMeasurement out = TRY(from_value(kMeasurement, value, "the session's measurement"));
  TRY(check_input(out.input));
  out.decision = TRY(decide(out.input));
  return out;
}

}  // namespace

Result<std::int64_t> keep(Session& session, const KeptMeasurement& measurement) {
  const auto before = TRY(session.events_of(SessionEventKind::measured));
  TRY(session.append({.kind = SessionEventKind::measured,
                      .what = fmt::format("{} {}: {}", measurement.kind, measurement.about,
                                          to_string(measurement.decision.verdict)),
                      .body = to_value(kMeasurement, measurement)}));
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
