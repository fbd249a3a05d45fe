// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/store/session.h"
#include "engine/tune/run/work.h"
#include "engine/tune/search/evaluation.h"
#include "engine/tune/search/search.h"

namespace rpl::tune {

/// What a tuning is asked with.
struct Plan {
  Work work;
  SearchOptions search;
  std::size_t batch = 1;          ///< configurations that are asked for at once
  std::string executor = "here";  ///< here, slurm, recorded
  Record slurm = {};              ///< options of the batch system, see slurm.h
  std::int64_t confirm = 6;  ///< processes of the last measurement, winner against default; 0: none
  std::uint64_t resample_seed = 1;
};
Value to_value(const Plan& plan);
Result<Plan> plan_from(const Value& value);

/// A tuning of a session: n1, n2, …, in the folder tunings/nN of the session, space.json among its files.
struct Tuning {
  std::int64_t number = 0;
  std::string folder;             ///< absolute; not written: it follows from the number
  std::string state = "running";  ///< running (or killed), done
  std::string work_digest, space_digest;
  Space space;  ///< read from the folder
  Plan plan;
  Value result = {};  ///< the document of `autotune` once it is done; null before

  [[nodiscard]] std::string id() const { return "n" + std::to_string(number); }
};

/// The tunings of a session, as its event log tells them. Every evaluation is an event of its own, written when it finished.
class TuningStore {
 public:
  static Result<TuningStore> read(Session& session);

  /// By "n3", "3", or the last one for "". Reads its space. Fails with not_found and how to begin.
  [[nodiscard]] Result<Tuning> tuning(std::string_view reference) const;
  [[nodiscard]] const std::vector<Tuning>& all() const { return all_; }  ///< without spaces
  /// What was evaluated for it, in the order of finishing.
  Result<Cache> evaluations(const Tuning& tuning) const;

  /// A new one, numbered, with its folder and space.json written and its event appended.
  Result<Tuning> begin(Space space, Plan plan);
  Status save(const Tuning& tuning);
  Status keep(const Tuning& tuning, const Evaluation& evaluation);

 private:
  explicit TuningStore(Session& session) : session_(&session) {}
  Session* session_;
  std::vector<Tuning> all_;
};

/// Measures what a search asks for, somewhere.
class Executor {
 public:
  virtual ~Executor() = default;
  using Finished = std::function<Status(Evaluation)>;
  /// Calls `finished` for each point as it is done, in any order, each once. Fails as Evaluator::evaluate does.
  virtual Status evaluate(std::span<const std::size_t> points, const Finished& finished) = 0;
};

/// What a search came to.
struct SearchOutcome {
  std::vector<std::size_t> order;  ///< points in the order of asking
  std::vector<std::optional<double>> curve;
  std::optional<std::size_t> best;
  ModelReport model;
  std::size_t budget = 0;
  std::size_t measured_now = 0;  ///< the rest was known from before
};

/// Searches. What `cache` has is not measured again; what is measured is added to it and given to `keep` before anything else happens, so that a search
/// that is killed and started again asks the same and ends the same.
Result<SearchOutcome> run_search(const Space& space, const SearchOptions& options,
                                 std::size_t batch, Cache& cache, Executor& executor,
                                 const Executor::Finished& keep, const Monitor& monitor);

}  // namespace rpl::tune
