// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/plan_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/document/json_text.h"

namespace rpl {
namespace {

std::string json_jobs(const CounterPlan& plan) {
  JsonStream out(kJsonDocument);
  out.begin_rows("jobs");
  for (const CounterPass& pass : plan.passes) {
    out.row(Value(Record{{"pmc", Value(List(pass.counters.begin(), pass.counters.end()))}}));
  }
  out.end_rows();
  return out.text();
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
  return fail(Errc::usage, fmt::format("'{}' is not a format of rocprofv3's input files", name),
              "rocprofv3 -i takes .txt, .yaml and .json");
}

std::string plan_text(const CounterPlan& plan, PlanFormat format) {
  if (format == PlanFormat::json) return json_jobs(plan);
  const bool yaml = format == PlanFormat::yaml;
  std::string out = fmt::format("# {}: {} pass{}, each runs the application once\n", plan.arch,
                                plan.passes.size(), plan.passes.size() == 1 ? "" : "es");
  if (yaml) out += "jobs:\n";
  for (const CounterPass& pass : plan.passes) {
    out += yaml ? fmt::format("  - pmc: [{}]\n", fmt::join(pass.counters, ", "))
                : fmt::format("pmc: {}\n", fmt::join(pass.counters, " "));
  }
  return out;
}

}  // namespace rpl
