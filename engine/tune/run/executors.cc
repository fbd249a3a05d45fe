// SPDX-License-Identifier: MIT
#include "engine/tune/run/executors.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/interrupt.h"

namespace rpl::tune {

Status HereExecutor::evaluate(std::span<const std::size_t> points, const Finished& finished) {
  for (const std::size_t point : points) {
    TRY(interrupt::check());
    TRY(finished(TRY(evaluator_.evaluate(point))));
  }
  return {};
}

Status RecordedExecutor::evaluate(std::span<const std::size_t> points, const Finished& finished) {
  for (const std::size_t point : points) {
    std::optional<Evaluation> found;
    for (const auto& [space, cache] : known_) {
      const auto there = space.find(space_.configuration(point));
      const Evaluation* one = there ? cache.find(*there) : nullptr;
      if (one != nullptr) found = *one;
    }
    if (!found) return fail(Errc::not_found, fmt::format("no tuning of the session has measured {} of this", space_.label(point)), "leave --target recorded out to measure it");
    found->point = point;
    TRY(finished(std::move(*found)));
  }
  return {};
}

Result<Confirmation> confirm(Evaluator& evaluator, std::size_t default_point, std::size_t winner, std::int64_t processes_asked, const DecisionRule& rule) {
  // The first block of a process warms up and does not count.
  constexpr std::int64_t kBlocks = 2;
  Confirmation out;
  out.samples.deterministic = evaluator.deterministic();
  const std::int64_t processes = out.samples.deterministic ? 1 : std::max<std::int64_t>(processes_asked, kFewestProcesses);
  const std::int64_t each = out.samples.deterministic ? 1 : kBlocks;
  for (std::int64_t process = 0; process < processes; ++process) {
    std::vector<MeasuredBlock> measured;
    for (std::int64_t i = 0; i < each; ++i) {
      TRY(interrupt::check());
      MeasuredBlock block;
      block.a_first = (process + i) % 2 == 0;
      for (int side = 0; side < 2; ++side) {
        const bool a = (side == 0) == block.a_first;
        (a ? block.a_ns : block.b_ns).push_back(TRY(evaluator.time_again(a ? default_point : winner)));
      }
      measured.push_back(std::move(block));
    }
    out.samples.processes.push_back(std::move(measured));
  }
  out.decision = TRY(decide(out.samples, rule));
  return out;
}

}  // namespace rpl::tune
