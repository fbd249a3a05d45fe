// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/trace/core/secondary.h"
#include "engine/trace/import/csv/csv_files.h"

namespace rpl {

/// The tables that lie beside a kernel trace as files of their own. A recorded dispatch's event_id is its Correlation_Id,
/// which is how launches are found: CSV has no event table. CSV holds no arguments either, so the
/// order between streams comes from function names alone (SyncSource::api_name).
std::unique_ptr<FileTables> csv_tables(CsvSiblings siblings);

}  // namespace rpl
