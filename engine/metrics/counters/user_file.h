// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/metrics/counters/catalogue.h"
#include "engine/metrics/counters/metrics.h"

/// Counters and metrics that a person adds, in the format of engine/metrics/counters/data: lines of 8 fields are counters, lines of 6 metrics.
namespace rpl {

/// One file. Its definitions refer to its text, which they share.
struct CounterFile {
  std::string path;
  std::shared_ptr<const std::string> text;
  std::shared_ptr<const std::vector<std::string>>
      places;  ///< "mine.counters:3", one for each definition
  std::vector<CounterInfo> counters;
  std::vector<MetricRule> metrics;
};

/// Fails with corrupt, naming file and line, for what is not a definition; with limit above 1 MiB or 1000 definitions. What formulas refer to is
/// checked by use_counter_files().
Result<CounterFile> parse_counter_file(std::string text, const std::string& path);
/// The same of a file; fails with io or not_found too.
Result<CounterFile> read_counter_file(const std::string& path);

/// Makes these the definitions of the program, in place of those given before: a user's counter or metric goes before a built-in one of its
/// name. Fails with corrupt, naming file and line, and changes nothing, when a formula names what is not a counter of its architecture, no metric
/// and no constant of the GPU, when formulas refer to each other in a circle or deeper than kMetricLevels, or when one would take too long. What was
/// replaced stays in memory, because results refer to it. Not for several threads at once.
Status use_counter_files(std::vector<CounterFile> files);

/// Only says whether use_counter_files() would take them.
Status check_counter_files(std::vector<CounterFile> files);

/// The metrics of those files.
const std::vector<MetricRule>& user_metrics();

/// What formulas may name beside counters and metrics: CUS, XCCS, SIMDS, MAX_WAVES, XCCS_SUMMED, WIDTH.
bool is_gpu_constant(std::string_view name);

}  // namespace rpl
