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
    if (!found)
      return fail(
          Errc::not_found,
          fmt::format("no tuning of the session has measured {} of this", space_.label(point)),
          "leave --target recorded out to measure it");
    found->point = point;
    TRY(finished(std::move(*found)));
  }
  return {};
}

std::size_t confirmation_processes(bool deterministic, std::int64_t asked) {
  return deterministic ? 1
                       : static_cast<std::size_t>(std::max<std::int64_t>(asked, kFewestProcesses));
}

Result<MeasuredProcess> measure_process(Evaluator& evaluator, std::size_t default_point,
                                        std::size_t winner, std::size_t process) {
  // The first block of a process warms up and does not count.
  constexpr std::size_t kBlocks = 2;
  const std::size_t blocks = evaluator.deterministic() ? 1 : kBlocks;
  MeasuredProcess out;
  for (std::size_t i = 0; i < blocks; ++i) {
    TRY(interrupt::check());
    MeasuredBlock block;
    block.a_first = (process + i) % 2 == 0;
    for (int side = 0; side < 2; ++side) {
      const bool a = (side == 0) == block.a_first;
      (a ? block.a_ns : block.b_ns)
          .push_back(TRY(evaluator.time_again(a ? default_point : winner)));
    }
    out.push_back(std::move(block));
  }
  return out;
}

Result<Confirmation> confirm(Evaluator& evaluator, std::size_t default_point, std::size_t winner,
                             std::int64_t processes_asked, const DecisionRule& rule) {
  Confirmation out;
  out.samples.deterministic = evaluator.deterministic();
  const std::size_t processes = confirmation_processes(out.samples.deterministic, processes_asked);
  for (std::size_t process = 0; process < processes; ++process)
    out.samples.processes.push_back(
        TRY(measure_process(evaluator, default_point, winner, process)));
  out.samples.model_band = evaluator.model_band(default_point, winner);
  out.decision = TRY(decide(out.samples, rule));
  return out;
}

}  // namespace rpl::tune
