// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "engine/document/document.h"
#include "engine/tune/run/executors.h"
#include "engine/tune/search/simulate.h"
#include "shell/core/inputs/slurm_settings.h"

/// What the commands of tuning share.
namespace rpl {

class Context;

/// The space of a file: JSON, or Lua when it ends in .lua; empty: the one that `space load` or `space define` made current. Fails with not_found without one.
Result<std::shared_ptr<const tune::Space>> space_named(Context& context, const std::string& file);

/// The tunings of the session that exists. Fails with not_found and how to begin.
Result<tune::TuningStore> kept_tunings(Context& context);

/// Searches from what `cache` knows on, keeps what is measured, confirms the winner, keeps and returns the document. After Ctrl-C the error says how to go on.
Result<Document> run_tuning(Context& context, tune::TuningStore& store, tune::Tuning& tuning);

/// The document of `autotune` with its rows; also what `tune best` and `tune status` are made of.
Document tuning_document(const tune::Tuning& tuning, const tune::Cache& cache,
                         const tune::SearchOutcome& outcome);
std::vector<Column> tuning_fields();
std::vector<Column> evaluation_columns();
std::vector<Row> evaluation_rows(const tune::Space& space, const tune::Cache& cache,
                                 const std::vector<std::size_t>& order);

/// The GPUs of the architecture files, the user's too, for captured dispatches. The context must outlive it.
tune::GpuModels gpu_models(const Context& context);

}  // namespace rpl
