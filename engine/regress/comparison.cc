// SPDX-License-Identifier: MIT
#include "engine/regress/comparison.h"

#include <algorithm>
#include <array>

namespace rpl::regress {
namespace {

constexpr double kHalf = 0.5;
/// A share of the time by which two findings must differ to be told.
constexpr double kWorthTelling = 0.02;

double middle(const findings::Finding& one) {
  return one.worth ? kHalf * (one.worth->low + one.worth->high) : 0;
}

const findings::Finding* find_same(const std::vector<findings::Finding>& in,
                                   findings::Cause cause) {
  const auto at = std::ranges::find(in, cause, &findings::Finding::cause);
  return at == in.end() ? nullptr : &*at;
}

std::vector<FindingDifference> findings_that_differ(const Judged& a, const Judged& b,
                                                    bool b_is_slow) {
  std::vector<FindingDifference> out;
  const auto add = [&](const findings::Finding* of_a, const findings::Finding* of_b) {
    const double worth_a = of_a ? middle(*of_a) : 0, worth_b = of_b ? middle(*of_b) : 0;
    if (of_a && of_b && std::max(worth_a, worth_b) - std::min(worth_a, worth_b) < kWorthTelling)
      return;
    const findings::Finding* shown = b_is_slow ? of_b : of_a;
    if (shown == nullptr) shown = of_a ? of_a : of_b;
    FindingDifference made{.cause = std::string(findings::to_string(shown->cause)), .where = {}};
    if (of_a) made.worth_a = worth_a;
    if (of_b) made.worth_b = worth_b;
    if (!shown->where.empty()) made.where = shown->where.front().text();
    out.push_back(std::move(made));
  };
  for (const findings::Finding& one : a.found) {
    if (one.cause != findings::Cause::nothing_of_note) add(&one, find_same(b.found, one.cause));
  }
  for (const findings::Finding& one : b.found) {
    if (one.cause != findings::Cause::nothing_of_note && !find_same(a.found, one.cause))
      add(nullptr, &one);
  }
  return out;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, 5> kNames{"same code", "within the band", "A is slower",
                                                   "B is slower", "not compared"};
  return kNames.at(static_cast<std::size_t>(verdict));
}

Comparison compare(std::shared_ptr<const Judged> a, std::shared_ptr<const Judged> b,
                   std::optional<double> beyond) {
  Comparison out;
  out.results = compare_results(a->ran.outputs, b->ran.outputs);
  out.ratio = b->time_ns() / a->time_ns();
  out.band = emu::ratio_band(a->ran.executed, b->ran.executed);
  const double least = 1 + beyond.value_or(out.band.value_or(0));
  if (a->code.key() == b->code.key())
    out.verdict = Verdict::same_code;
  else if (out.ratio > least)
    out.verdict = Verdict::b_slower;
  else if (out.ratio * least < 1)
    out.verdict = Verdict::a_slower;
  else
    out.verdict = Verdict::within_band;
  out.findings = findings_that_differ(*a, *b, out.ratio > 1);
  out.lines = lines_that_differ(*a, *b);
  out.a = std::move(a);
  out.b = std::move(b);
  return out;
}

}  // namespace rpl::regress
