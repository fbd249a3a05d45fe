// SPDX-License-Identifier: MIT
// The definitions of the program: the built-in ones and the user's, checked together.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>

#include "engine/metrics/counters/user_file.h"

namespace rpl {
namespace {

/// Evaluations of formulas that one metric may take. The built-in ones take some dozens.
constexpr std::uint64_t kMostEvaluations = 10'000;

struct Definitions {
  std::vector<CounterFile> files;
  CounterCatalogue catalogue{std::vector<CounterInfo>{}};
  std::vector<MetricRule> metrics;
};

const Definitions& built_in_definitions() {
  static const Definitions none;
  return none;
}

std::atomic<const Definitions*>& current_definitions() {
  static std::atomic<const Definitions*> current{&built_in_definitions()};
  return current;
}

/// Nothing is ever freed: results hold names and rules of older definitions.
void keep_for_ever(std::unique_ptr<const Definitions> definitions) {
  static std::mutex lock;
  static std::vector<std::unique_ptr<const Definitions>> all;
  const std::scoped_lock held(lock);
  current_definitions() = definitions.get();
  all.push_back(std::move(definitions));
}

/// What the formulas of one architecture cost, and whether all that they name exists.
class Checker {
 public:
  Checker(const Definitions& definitions, std::string_view arch) : arch_(arch) {
    for (const auto* rules : {&definitions.metrics, &built_in_metrics()}) {
      for (const MetricRule& rule : *rules) {
        if (std::ranges::count(rule.architectures, arch) > 0)
          rules_[std::string(rule.name)].push_back(&rule);
      }
    }
    catalogue_ = &definitions.catalogue;
  }

  Status check(const MetricRule& rule) {
    for (const std::string& input : inputs_of(rule)) TRY(check_name(rule, input));
    const std::uint64_t cost = TRY(cost_of(rule.name, rule, 0));
    if (cost <= kMostEvaluations) return {};
    return fail(Errc::corrupt, fmt::format("{}: {} takes {} evaluations of formulas, more than {}",
                                           rule.source, rule.name, cost, kMostEvaluations));
  }

 private:
  static std::set<std::string> inputs_of(const MetricRule& rule) {
    std::set<std::string> names(rule.formula.inputs().begin(), rule.formula.inputs().end());
    if (rule.when) names.insert(rule.when->inputs().begin(), rule.when->inputs().end());
    return names;
  }

  Status check_name(const MetricRule& rule, const std::string& input) const {
    if (is_gpu_constant(input) || rules_.contains(input) || catalogue_->find(arch_, input))
      return {};
    return fail(
        Errc::corrupt,
        fmt::format("{}: '{}' is neither a counter of {} nor a metric nor a constant", rule.source,
                    input, arch_),
        "add the counter in a line of 8 fields, or see counters list --arch " + std::string(arch_));
  }

  /// Evaluations below a metric, one for each time that a formula is reached.
  Result<std::uint64_t> cost_of(std::string_view name, const MetricRule& asked, int level) {
    if (level > kMetricLevels)
      return fail(Errc::corrupt,
                  fmt::format("{}: {} refers to itself, or formulas are nested deeper than {}",
                              asked.source, asked.name, kMetricLevels));
    const auto known = costs_.find({std::string(name), level});
    if (known != costs_.end()) return known->second;
    std::uint64_t cost = 0;
    const auto found = rules_.find(name);
    if (found == rules_.end()) return std::uint64_t{0};
    for (const MetricRule* rule : found->second) {
      ++cost;
      for (const std::string& input : inputs_of(*rule)) {
        cost += TRY(cost_of(input, asked, level + 1));
        cost = std::min<std::uint64_t>(cost, kMostEvaluations * 1000);
      }
    }
    costs_[{std::string(name), level}] = cost;
    return cost;
  }

  std::string_view arch_;
  const CounterCatalogue* catalogue_ = nullptr;
  std::map<std::string, std::vector<const MetricRule*>, std::less<>> rules_;
  std::map<std::pair<std::string, int>, std::uint64_t> costs_;
};

/// A user's rule may change what built-in metrics refer to, so that all of an architecture are checked.
Status check_metrics(const Definitions& definitions) {
  std::set<std::string_view> architectures;
  for (const MetricRule& rule : definitions.metrics)
    architectures.insert(rule.architectures.begin(), rule.architectures.end());
  for (const std::string_view arch : architectures) {
    Checker checker(definitions, arch);
    for (const MetricRule& rule : definitions.metrics) {
      if (std::ranges::count(rule.architectures, arch) > 0) TRY(checker.check(rule));
    }
  }
  return {};
}

std::unique_ptr<Definitions> definitions_of(std::vector<CounterFile> files) {
  auto made = std::make_unique<Definitions>();
  std::vector<CounterInfo> counters;
  // The file that was named last wins.
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    counters.insert(counters.end(), file->counters.begin(), file->counters.end());
    made->metrics.insert(made->metrics.end(), file->metrics.begin(), file->metrics.end());
  }
  made->catalogue = CounterCatalogue(std::move(counters));
  made->files = std::move(files);
  return made;
}

bool same_texts(const std::vector<CounterFile>& a, const std::vector<CounterFile>& b) {
  return std::ranges::equal(a, b, [](const CounterFile& left, const CounterFile& right) {
    return left.path == right.path && *left.text == *right.text;
  });
}

}  // namespace

Status check_counter_files(std::vector<CounterFile> files) {
  return check_metrics(*definitions_of(std::move(files)));
}

Status use_counter_files(std::vector<CounterFile> files) {
  if (same_texts(files, current_definitions().load()->files)) return {};
  if (files.empty()) {
    current_definitions() = &built_in_definitions();
    return {};
  }
  auto made = definitions_of(std::move(files));
  TRY(check_metrics(*made));
  keep_for_ever(std::move(made));
  return {};
}

const std::vector<MetricRule>& user_metrics() { return current_definitions().load()->metrics; }

const CounterCatalogue& CounterCatalogue::current() {
  return current_definitions().load()->catalogue;
}

}  // namespace rpl
