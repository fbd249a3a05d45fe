// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "engine/trace/core/secondary.h"
#include "engine/trace/import/json/json_sections.h"

namespace rpl {

/// The tables of a rocprofv3 results JSON, read section by section from the places that the first pass found. A dispatch's
/// event_id is its internal correlation id, for JSON has no event table. Order between streams comes
/// from buffer_records.hip_event where the recording has it, else from the names of API functions.
std::unique_ptr<FileTables> json_tables(JsonSections sections);

}  // namespace rpl
