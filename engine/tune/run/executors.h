// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/optimize/measure/decision.h"
#include "engine/tune/run/evaluator.h"
#include "engine/tune/run/tuning.h"

namespace rpl::tune {

/// One after the other, in this process.
class HereExecutor : public Executor {
 public:
  explicit HereExecutor(Evaluator& evaluator) : evaluator_(evaluator) {}
  Status evaluate(std::span<const std::size_t> points, const Finished& finished) override;

 private:
  Evaluator& evaluator_;
};

/// From what earlier tunings of the session measured of the same work; a configuration that none has is an error that names it (not_found).
class RecordedExecutor : public Executor {
 public:
  /// `known`: spaces and evaluations of those tunings, the newest last.
  RecordedExecutor(const Space& space, std::vector<std::pair<Space, Cache>> known)
      : space_(space), known_(std::move(known)) {}
  Status evaluate(std::span<const std::size_t> points, const Finished& finished) override;

 private:
  const Space& space_;
  std::vector<std::pair<Space, Cache>> known_;
};

/// The winner against the default again, and what the decision rule says of it.
struct Confirmation {
  Samples samples;  ///< a: the default, b: the winner
  Decision decision;
};
/// So many processes are measured: at least kFewestProcesses, one where equal runs take equal time.
std::size_t confirmation_processes(bool deterministic, std::int64_t asked);
/// Process `process` of a confirmation. Fails as Evaluator::time_again does.
Result<MeasuredProcess> measure_process(Evaluator& evaluator, std::size_t default_point,
                                        std::size_t winner, std::size_t process);
/// So many processes (at least kFewestProcesses) with two blocks each, the order changing from block to block; one block where equal runs take equal time.
/// Fails as Evaluator::time_again does.
Result<Confirmation> confirm(Evaluator& evaluator, std::size_t default_point, std::size_t winner,
                             std::int64_t processes, const DecisionRule& rule);

}  // namespace rpl::tune
