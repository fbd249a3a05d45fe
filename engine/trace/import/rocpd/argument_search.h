// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/trace/core/column_memory.h"
#include "engine/trace/import/rocpd/table_reader.h"

namespace rpl {

/// What is read of rocpd_arg.
struct ArgumentColumns {
  enum : int { kEvent, kName, kType, kValue, kExtdata };
  static constexpr std::array<WantedColumn, 5> kWanted{{{"event_id"},
                                                        {"name", ColumnKind::text},
                                                        {"type", ColumnKind::text},
                                                        {"value", ColumnKind::text},
                                                        {"extdata", ColumnKind::text}}};
};

/// One argument that is a stream or an event.
struct RocpdArgument {
  std::int64_t row = 0;  ///< of the table, rising; 0 where SQLite read it
  std::int64_t event_id = 0;
  bool is_event = false;
  bool has_handle = false, printed_as_pointer = false;
  std::uint64_t handle = 0;
  std::int64_t stream_id = -1;  ///< from its extdata, -1 = not said

  enum class Kind { other, stream, event };
  static Kind kind_of(const TableRow& row) {
    const std::string_view name = row.text(ArgumentColumns::kName),
                           type = row.text(ArgumentColumns::kType);
    if (type == "hipEvent_t" || name == "event" || name == "hEvent") return Kind::event;
    const bool stream = type == "hipStream_t" || name == "stream" || name == "hStream";
    return stream ? Kind::stream : Kind::other;
  }
  static RocpdArgument of(const TableRow& row, Kind kind);
};

/// Events, for a first look at millions of rows.
class EventSet {
 public:
  void add(std::int64_t event) {
    const std::uint64_t slot = slot_of(event);
    bits_[slot / 64] |= std::uint64_t{1} << slot % 64;
  }
  /// False only for events that are not in it.
  [[nodiscard]] bool may_hold(std::int64_t event) const {
    const std::uint64_t slot = slot_of(event);
    return (bits_[slot / 64] >> slot % 64 & 1U) != 0;
  }

 private:
  static constexpr std::size_t kBits = std::size_t{1} << 23;
  static std::uint64_t slot_of(std::int64_t event) {
    return static_cast<std::uint64_t>(event) % kBits;
  }
  std::vector<std::uint64_t> bits_ = std::vector<std::uint64_t>(kBits / 64);
};

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
