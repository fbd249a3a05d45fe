// SPDX-License-Identifier: MIT
#pragma once

#include "engine/capture/capture.h"
#include "engine/capture/json_fields.h"

/// The optional parts of capture.json and memory_regions.json.
namespace rpl {

/// Appends the keys of what is known: `packet`, `queue`, `agent`, `runtime`, `dispatch_index`, `demangled_name`, `time`.
void add_facts(const CaptureFacts& facts, Record& head);
/// Reads them; each may be missing or null. Fails with corrupt for what is there and wrong.
Result<CaptureFacts> read_facts(const JsonFields& head);

/// `kind`, `owner` and `flags` of a region, of what is known.
void add_origin(const CapturedRegion& region, Record& row);
Status read_origin(const JsonFields& row, CapturedRegion& region);

}  // namespace rpl
