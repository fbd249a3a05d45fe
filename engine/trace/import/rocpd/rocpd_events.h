// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/trace/core/columns.h"
#include "engine/trace/import/rocpd/rocpd_scope.h"
#include "engine/trace/import/rocpd/table_reader.h"

namespace rpl {

/// rocpd_event without its text columns: what joins API calls, dispatches and copies. One scan instead of a lookup per row; five
/// bytes an event.
class RocpdEvents {
 public:
  Status load(const RocpdScope& scope, TableReader& reader);

  /// The internal correlation id ("stack id") of an event, 0 when unknown.
  [[nodiscard]] std::uint64_t correlation(std::int64_t event) const {
    for (const Part& part : parts_) {
      const std::uint64_t slot = part.slot(event);
      if (slot < part.stacks.size() && part.stacks[slot] != CompactColumn::kEscaped)
        return part.stacks[slot];
    }
    return far(event).stack;
  }
  /// Index into category_names(), 0 ("") when unknown.
  [[nodiscard]] std::uint32_t category(std::int64_t event) const {
    for (const Part& part : parts_) {
      const std::uint64_t slot = part.slot(event);
      if (slot < part.stacks.size() && part.stacks[slot] != CompactColumn::kEscaped)
        return part.categories[slot];
    }
    return far(event).category;
  }
  /// Calls take(event) for each event whose correlation id `wanted` holds; in the order of their ids, nearly.
  template <class Wanted, class Take>
  void each_with(const Wanted& wanted, Take take) const {
    for (const Part& part : parts_) {
      for (std::size_t slot = 0; slot < part.stacks.size(); ++slot) {
        const std::uint32_t stack = part.stacks[slot];
        if (stack != CompactColumn::kEscaped && stack != 0 && wanted(stack))
          take(part.first + static_cast<std::int64_t>(slot));
      }
    }
    for (const auto& [event, about] : sparse_) {
      if (about.stack != 0 && wanted(about.stack)) take(event);
    }
  }
  [[nodiscard]] const std::vector<std::string>& category_names() const { return names_; }

 private:
  struct Event {
    std::uint64_t stack = 0;
    std::uint32_t category = 0;
  };
  /// Recorders number events without holes. kEscaped stands for one that is in `sparse` of some part, or nowhere.
  struct Part {
    std::int64_t first = 0;
    ColumnVector<std::uint32_t> stacks;
    ColumnVector<std::uint8_t> categories;

    [[nodiscard]] std::uint64_t slot(std::int64_t event) const {
      return static_cast<std::uint64_t>(event) - static_cast<std::uint64_t>(first);
    }
  };
  class Sink;

  [[nodiscard]] Event far(std::int64_t event) const;

  std::vector<Part> parts_;
  std::unordered_map<std::int64_t, Event> sparse_;
  std::vector<std::string> names_{""};
};

}  // namespace rpl
