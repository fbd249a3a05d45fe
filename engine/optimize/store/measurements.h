// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/optimize/measure/decision.h"
#include "engine/store/session.h"

namespace rpl {

/// A measurement that belongs to no proposal: an A/A calibration, two builds against each other, samples from elsewhere.
struct KeptMeasurement {
  std::int64_t number = 0;      ///< 1, 2, … in the session; shown as b1
  std::string kind;             ///< "aa", "ab" or "import"
  std::string target;           ///< "emu", "local"; "" of an import
  std::string about;            ///< kernel, or the file with kernel and gain
  std::string capture_code;     ///< SHA-256 of the captured code object; "" for none
  std::string time_source;      ///< "measured", "modelled", "recorded"
  std::optional<double> noise;  ///< of an A/A calibration
  DecisionInput input;
  Decision decision;
};

/// Appends it; returns its number.
Result<std::int64_t> keep(Session& session, const KeptMeasurement& measurement);

/// All of a session in order. Fails with corrupt: the database may have been written by anyone.
Result<std::vector<KeptMeasurement>> kept_measurements(Session& session);

/// What the last A/A calibration of that kernel on that target found; none: there is none.
std::optional<double> calibrated_noise(const std::vector<KeptMeasurement>& kept,
                                       std::string_view target, std::string_view capture_code);

}  // namespace rpl
