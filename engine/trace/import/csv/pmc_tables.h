// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "engine/trace/core/secondary.h"

namespace rpl {

/// Which dispatch a row of a long pmc_perf.csv belongs to: its number (event_id) by recorded id and start. Empty for the wide form,
/// whose n-th row is dispatch n.
struct PmcRows {
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> dispatches;
};

/// The counters of a pmc_perf.csv. A column "TCC_HIT[3]" is one instance of TCC_HIT_sum, unless the file has that column too.
std::unique_ptr<FileTables> pmc_tables(std::string path, PmcRows rows);

}  // namespace rpl
