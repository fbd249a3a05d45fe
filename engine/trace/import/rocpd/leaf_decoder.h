// SPDX-License-Identifier: MIT
#pragma once

#include "engine/trace/import/rocpd/rocpd_dispatches.h"

namespace rpl {

/// Reads the dispatch table from the pages of the file, about ten times faster than through SQLite's API, while a read
/// transaction keeps writers out. Appends the same dispatches in the same order as DispatchRows::read_all().
///
/// Returns false, with nothing appended, when the file is of a kind that only SQLite should read: see PageFile::map(),
/// tables WITHOUT ROWID, virtual or with generated columns, columns of REAL affinity, more than a few rows that the
/// API has to convert, and anything damaged.
Result<bool> decode_leaves(ForeignDatabase& database, const DispatchTable& table,
                           RocpdEntities& entities, DispatchRows& rows, RawTrace& raw,
                           const ReadRequest& request);

}  // namespace rpl
