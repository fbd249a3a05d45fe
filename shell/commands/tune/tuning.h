// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "engine/document/bound.h"
#include "engine/tune/run/executors.h"
#include "engine/tune/search/simulate.h"
#include "shell/core/inputs/targets.h"
#include "shell/core/terminal/terminal.h"

/// What the commands of tuning share.
namespace rpl {

class ScriptHost;
class SessionLog;
class Workspace;

/// The space of a file: JSON, or Lua when it ends in .lua; empty: the one that `space load` or `space define` made current. Fails with not_found without one.
Result<std::shared_ptr<const tune::Space>> space_named(const Workspace& workspace,
                                                       ScriptHost& scripts,
                                                       const std::string& file);

/// The tunings of the session that exists. Fails with not_found and how to begin.
Result<tune::TuningStore> kept_tunings(SessionLog& log);

/// Searches from what `cache` knows on, keeps what is measured, confirms the winner, keeps and returns the document. After Ctrl-C the error says how to go on.
Result<Document> run_tuning(const Inputs& inputs, const Canvas& canvas, tune::TuningStore& store,
                            tune::Tuning& tuning);

namespace tune {

/// A configuration and what it took.
struct TimedConfiguration {
  Record parameters;
  std::optional<double> runtime_ms;
};
Columns<TimedConfiguration> bound(const TimedConfiguration*);
/// None for no evaluation.
std::optional<TimedConfiguration> timed(const Space& space, const Evaluation* evaluation);

/// What a tuning found. Borrows from the tuning, its evaluations and the search.
struct Found {
  const Tuning* tuning = nullptr;
  const Cache* cache = nullptr;
  const SearchOutcome* outcome = nullptr;
  std::optional<Confirmation> confirmation = {};

  /// Null when none ran.
  [[nodiscard]] const Evaluation* best() const;
  [[nodiscard]] const Evaluation* first() const;
};

/// The fields of `autotune`.
Columns<Found> tuning_fields();
/// Its rows, notes and provenance.
Document tuning_document(const Found& found);
/// Where its evaluations run, as people see it.
const std::string& shown_target(const Tuning& tuning);

/// An evaluation in the order of a search.
struct Evaluated {
  std::size_t number = 0;
  std::string configuration;
  const Evaluation* one = nullptr;
  std::optional<double> best_ns;
};
std::string_view state_of(const Evaluation& evaluation);

inline constexpr auto kEvaluationColumns = bound_to<Evaluated>(
    column<&Evaluated::number>("evaluation", "in which order, from 1").in(Unit::none),
    column<&Evaluated::configuration>("configuration", "its parameters"),
    column<&Evaluated::one, &state_of>("state", "ok or failed"),
    column<&Evaluated::one, &Evaluation::time_ns>("time_ns",
                                                  "median of its runs; null when it failed"),
    column<&Evaluated::best_ns>("best_ns", "the fastest so far"),
    column<&Evaluated::one, &Evaluation::stage>("stage",
                                                "where it failed: build, run, verify, time, lost")
        .if_room()
        .or_null(),
    column<&Evaluated::one, &Evaluation::reason>("reason", "why").or_null(),
    column<&Evaluated::one, &Evaluation::requeued>("requeued",
                                                   "how often a batch system had to run it again")
        .if_room());

/// The rows point into the cache.
std::vector<Evaluated> evaluation_rows(const Space& space, const Cache& cache,
                                       const std::vector<std::size_t>& order);

}  // namespace tune

/// A tuning for people: what was found, how the search came to it, which parameters matter, what failed.
std::string tuning_text(const tune::Found& result, Provenance provenance, const Canvas& canvas);

/// The target that a work runs on, with the GPUs of the architecture files, the user's too, for captured dispatches.
tune::TargetOf tuning_target(const Inputs& inputs);

}  // namespace rpl
