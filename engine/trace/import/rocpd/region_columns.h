// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {

/// What is read of rocpd_region.
struct RegionColumns {
  enum : int { kStart, kEnd, kName, kEvent, kId, kOwner };
  static constexpr auto kWanted =
      with_owner<5>({{{"start"}, {"end"}, {"name_id"}, {"event_id"}, {"id"}}});
};

/// Whether events of a category are markers. Categories differ between releases in their ends ("MARKER_CORE_API",
/// "MARKER_CORE_RANGE_API").
inline bool is_marker_category(std::string_view category) { return category.starts_with("MARKER"); }
/// The same by a region's name, for those whose event has no category.
inline bool is_marker_name(std::string_view name) { return name.starts_with("roctx"); }

/// Whether a region is a marker, by its category, or by its name where it has none.
class MarkerTest {
 public:
  explicit MarkerTest(const RocpdPart& part) : part_(&part) {}

  bool operator()(std::uint32_t category, std::int64_t name) const {
    const std::string& text = part_->events.category_names()[category];
    return text.empty() ? is_marker_name(part_->scope.string(name)) : is_marker_category(text);
  }

 private:
  const RocpdPart* part_;
};

}  // namespace rpl
