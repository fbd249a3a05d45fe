// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/trace/core/column_memory.h"
#include "engine/trace/import/rocpd/argument_sink.h"
#include "engine/trace/import/rocpd/table_reader.h"

namespace rpl {

/// What a search found.
struct FoundArguments {
  ColumnVector<RocpdArgument> arguments;  ///< streams and events
  std::vector<std::int64_t> events;       ///< those that have arguments at all; rising, each once
};

/// The arguments of some events, from the pages that hold them: recorders write arguments in the order of their events, so that a
/// page is found by guessing where it lies between others. nullopt when the table is not in that order as far as was seen, when a
/// page is damaged, or when there are so many events that reading all pages is faster.
Result<std::optional<FoundArguments>> search_arguments(TableReader& reader,
                                                       const PreparedTable& table,
                                                       std::span<const std::int64_t> events);

}  // namespace rpl
