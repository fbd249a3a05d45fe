// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/trace/core/secondary.h"
#include "engine/trace/import/rocpd/rpd_database.h"

namespace rpl {

/// Copies (and fills), calls, user markers and order of an RPD file. A call's id is its correlation, and a dispatch's
/// event_id is the id of the call that issued it. rocpd_op_inputSignals, which says that one operation waited for
/// another, becomes a record and a wait on the device (SyncSource::hip_event_table): never seen with rows, unverified.
std::unique_ptr<FileTables> rpd_tables(std::unique_ptr<RpdDatabase> rpd);

}  // namespace rpl
