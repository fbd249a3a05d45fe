// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/store/foreign.h"

namespace rpl {

/// What looking through one table came to.
struct VerifiedTable {
  std::string table;        ///< its name in the file
  std::uint64_t pages = 0;  ///< that hold rows
  std::uint64_t rows = 0;
  std::uint64_t faults = 0;  ///< pages, rows and references that are not as they should be
};

struct Verification {
  std::vector<VerifiedTable> tables;
  std::vector<std::string>
      findings;  ///< sentences for people; empty: nothing speaks against the file
};

/// Looks through a whole database of a recording: every page of every table, SQLite's own check of pages, indexes and free pages
/// (PRAGMA integrity_check), ids up to the last that was written, what rows refer to, and times. A value that was changed within what is
/// possible cannot be found: the file has no checksums. Takes about as long as reading the file twice. Fails with interrupted.
Result<Verification> verify_database(ForeignDatabase& database, const Monitor& monitor = {});

}  // namespace rpl
