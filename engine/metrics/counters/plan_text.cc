// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/plan_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rpl {
namespace {

std::string comma_list(const CounterPass& pass, std::string_view quote) {
  std::string out;
  for (const std::string& counter : pass.counters) {
    out += fmt::format("{}{}{}{}", out.empty() ? "" : ", ", quote, counter, quote);
  }
  return out;
}

std::string json_jobs(const CounterPlan& plan) {
  std::string jobs;
  for (const CounterPass& pass : plan.passes) {
    jobs +=
        fmt::format("{}\n    {{\"pmc\": [{}]}}", jobs.empty() ? "" : ",", comma_list(pass, "\""));
  }
  return fmt::format("{{\n  \"jobs\": [{}\n  ]\n}}\n", jobs);
}

}  // namespace

Result<PlanFormat> plan_format(std::string_view name) {
  const auto is = [&](std::string_view format) {
    return name == format || (name.ends_with(format) && name.size() > format.size() &&
                              name[name.size() - format.size() - 1] == '.');
  };
  if (is("txt") || is("text")) return PlanFormat::text;
  if (is("yaml") || is("yml")) return PlanFormat::yaml;
  if (is("json")) return PlanFormat::json;
  return fail(Errc::usage, fmt::format("'{}' is no format of rocprofv3's input files", name),
              "rocprofv3 -i takes .txt, .yaml and .json");
}

std::string plan_text(const CounterPlan& plan, PlanFormat format) {
  if (format == PlanFormat::json) return json_jobs(plan);
  const bool yaml = format == PlanFormat::yaml;
  std::string out = fmt::format("# {}: {} pass{}, each runs the application once\n", plan.arch,
                                plan.passes.size(), plan.passes.size() == 1 ? "" : "es");
  if (yaml) out += "jobs:\n";
  for (const CounterPass& pass : plan.passes) {
    out += yaml ? fmt::format("  - pmc: [{}]\n", comma_list(pass, ""))
                : fmt::format("pmc: {}\n", fmt::join(pass.counters, " "));
  }
  return out;
}

}  // namespace rpl
