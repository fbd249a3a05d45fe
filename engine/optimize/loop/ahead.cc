// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/ahead.h"

#include <algorithm>

#include "engine/base/interrupt.h"
#include "engine/base/parallel.h"

namespace rpl {
namespace {

constexpr Stage kCompiledStages[] = {Stage::guard, Stage::build, Stage::screen};
// Each compiler takes some 200 MB.
constexpr std::size_t kMostThreads = 8;

}  // namespace

StagesAhead::StagesAhead(Optimization optimization, std::shared_ptr<const Capture> capture,
                         Workbench bench, std::vector<Proposal> proposals)
    : optimization_(std::move(optimization)),
      capture_(std::move(capture)),
      bench_(std::move(bench)) {
  bench_.optimization = &optimization_;
  bench_.capture = capture_.get();
  bench_.listener = &nobody();
  for (Proposal& proposal : proposals) jobs_.push_back({.proposal = std::move(proposal)});
  const std::size_t threads = std::min(worthwhile_threads(kMostThreads), jobs_.size());
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

StagesAhead::~StagesAhead() {
  bool busy = false;
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
    busy = std::ranges::any_of(jobs_, [](const Job& job) { return job.begun && !job.ended; });
  }
  std::optional<interrupt::ForNow> stop;
  if (busy) stop.emplace();
  threads_.clear();
}

void StagesAhead::work() {
  while (true) {
    Job* job = nullptr;
    {
      const std::lock_guard lock(mutex_);
      const auto next =
          std::ranges::find_if(jobs_, [](const Job& one) { return !one.begun && !one.left; });
      if (stops_ || next == jobs_.end()) return;
      next->begun = true;
      job = &*next;
    }
    carry_out(*job);
    const std::lock_guard lock(mutex_);
    job->ended = true;
    changed_.notify_all();
  }
}

void StagesAhead::carry_out(Job& job) {
  Proposal now = job.proposal;
  for (const Stage stage : kCompiledStages) {
    auto outcome = advance(now, stage, bench_);
    // Why it failed is found out again by whoever waits for it, and told there.
    if (!outcome) return;
    const bool passed = outcome->passed;
    const std::lock_guard lock(mutex_);
    job.made.emplace(stage, Advanced{now, std::move(*outcome)});
    changed_.notify_all();
    if (!passed || stops_) return;
  }
}

std::optional<Advanced> StagesAhead::take(Stage stage, const Proposal& proposal) {
  std::unique_lock lock(mutex_);
  const auto job = std::ranges::find_if(
      jobs_, [&](const Job& one) { return one.proposal.number == proposal.number; });
  if (job == jobs_.end() || std::ranges::find(kCompiledStages, stage) == std::end(kCompiledStages))
    return std::nullopt;
  if (!job->begun) job->left = true;
  changed_.wait(lock, [&] { return !job->begun || job->ended || job->made.contains(stage); });
  auto made = job->made.extract(stage);
  if (made.empty()) return std::nullopt;
  return std::move(made.mapped());
}

}  // namespace rpl
