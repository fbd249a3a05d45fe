// SPDX-License-Identifier: MIT
// What searching costs beside measuring: processor time for each evaluation of a search through 10,000 cached ones, by strategy, and opening a space of
// 100,000 configurations, from its constraints and from a list.
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "engine/document/json.h"
#include "engine/tune/search/random.h"
#include "engine/tune/search/simulate.h"

namespace rpl::tune {
namespace {

constexpr double kNsPerMs = 1e6;
/// What the ratios are of: a search may cost so much for each evaluation, and opening 100,000 configurations so much.
constexpr double kMostSearchMs = 5, kMostOpeningMs = 1000;

/// POINTS = values ^ 5.
std::vector<Parameter> parameters_of(int values) {
  std::vector<Parameter> out;
  for (int i = 0; i < 5; ++i) {
    Parameter parameter{"P" + std::to_string(i), {}};
    for (int v = 0; v < values; ++v) parameter.values.emplace_back(1 << v);
    out.push_back(std::move(parameter));
  }
  return out;
}

double ms_of(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

void measure_search() {
  const auto space = Space::product(parameters_of(7), {});
  Cache cache;
  Random random(1);
  for (std::size_t point = 0; point < space->size(); ++point) {
    Evaluation one{.point = point, .ok = point % 17 != 0};
    double time = 1e6 * std::exp(random.unit());
    for (const std::uint16_t place : space->places(point))
      time *= 1 + 0.05 * (place - 3.0) * (place - 3.0);
    if (one.ok) one.samples_ns = {time};
    cache.add(std::move(one));
  }
  for (const std::string& strategy : strategy_names()) {
    const auto run = simulate(*space, cache, {.strategy = strategy, .budget = 10'000});
    fmt::print(
        "{:<10} {} evaluations of {}: {:.3f} ms of search for each, {:.4f} x the most that it may "
        "cost ({} ms)\n",
        strategy, run->order.size(), space->size(), run->search_ns_per_evaluation / kNsPerMs,
        run->search_ns_per_evaluation / kNsPerMs / kMostSearchMs, kMostSearchMs);
  }
}

void measure_opening() {
  Record names;
  for (const Parameter& parameter : parameters_of(10))
    names.emplace_back(parameter.name, List(parameter.values));
  const std::string rules =
      to_json(Value(Record{{"parameters", Value(std::move(names))},
                           {"constraints", Value(List{Value("P0 * P1 >= 1")})}}));
  std::size_t count = 0;
  const double by_rules = ms_of([&] { count = Space::parse(rules)->size(); });
  fmt::print(
      "{} configurations from parameters: opened and counted in {:.0f} ms, {:.3f} x the most ({} "
      "ms)\n",
      count, by_rules, by_rules / kMostOpeningMs, kMostOpeningMs);
  const auto space = Space::parse(rules);
  List all;
  for (std::size_t point = 0; point < space->size(); ++point)
    all.emplace_back(space->configuration(point));
  const std::string listed = to_json(Value(std::move(all)));
  const double by_list = ms_of([&] { count = Space::parse(listed)->size(); });
  fmt::print("{} configurations from a list of {:.1f} MB: {:.0f} ms, {:.3f} x the most ({} ms)\n",
             count, static_cast<double>(listed.size()) / 1e6, by_list, by_list / kMostOpeningMs,
             kMostOpeningMs);
}

}  // namespace
}  // namespace rpl::tune

int main() {
  rpl::tune::measure_search();
  rpl::tune::measure_opening();
}
