// SPDX-License-Identifier: MIT
// Any bytes as a user's counters and metrics: what is taken can be looked up, evaluated and explained in time, and errors name the place.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "engine/metrics/counters/user_file.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void evaluate(const rpl::CounterFile& file) {
  rpl::MetricInputs inputs;
  inputs.arch = "gfx942";
  for (const rpl::CounterInfo& counter : file.counters)
    inputs.counters[std::string(counter.name)] = 2;
  inputs.constants = {{"CUS", 304}, {"XCCS", 8}};
  for (const rpl::MetricRule& rule : file.metrics) {
    static_cast<void>(rpl::metric(rule.name, inputs));
    require(rpl::explain_metric(rule.name, inputs).ours.name == rule.name);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto file =
      rpl::parse_counter_file(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!file) {
    require(file.error().message.starts_with("fuzz:"));
    return 0;
  }
  require(file->counters.size() + file->metrics.size() == file->places->size());
  const auto taken = rpl::check_counter_files({*file});
  if (!taken) {
    require(taken.error().message.starts_with("fuzz:"));
    return 0;
  }
  // What was used stays in memory; a crash shows again as the first one of a run.
  static int used = 0;
  if (++used > 500) return 0;
  const rpl::CounterFile kept = *file;
  require(rpl::use_counter_files({std::move(*file)}).has_value());
  evaluate(kept);
  return rpl::use_counter_files({}) ? 0 : (std::abort(), 0);
}
