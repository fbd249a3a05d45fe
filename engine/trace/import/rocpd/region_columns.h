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

/// Whether a region is a marker, by its category, or by its name where it has none. Categories differ between releases in their
/// ends ("MARKER_CORE_API", "MARKER_CORE_RANGE_API").
class MarkerTest {
 public:
  explicit MarkerTest(const RocpdPart& part) : part_(&part) {}

  bool operator()(std::uint32_t category, std::int64_t name) const {
    const std::string& text = part_->events.category_names()[category];
    return text.empty() ? part_->scope.string(name).starts_with("roctx")
                        : text.starts_with("MARKER");
  }

 private:
  const RocpdPart* part_;
};

}  // namespace rpl
