// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/trace/core/damage.h"
#include "engine/trace/core/reader.h"

namespace rpl {

/// Looks for dispatches, from row `first_row` of `raw` on, that cannot be as they were recorded: of an event
/// that there is not (`last_event`: the highest id; nullopt: not known), or as long as nothing of their kernel while others ran on their stream.
/// Before the rows are sorted.
void check_dispatches(const RawTrace& raw, std::size_t first_row,
                      std::optional<std::int64_t> last_event, Damage& damage);

}  // namespace rpl
