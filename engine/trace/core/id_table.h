// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/trace/core/column_memory.h"
#include "engine/trace/core/entities.h"

namespace rpl {

/// Numbers for recorded ids. Recorders count ids upwards, so that they are kept in an array; what lies beyond it in a map: a
/// damaged id must not ask for gigabytes.
class IdTable {
 public:
  /// `expected`: about how many ids there will be.
  explicit IdTable(std::size_t expected) : limit_(expected * kDenseFactor + 1024) {}

  /// kNone for an id without a number.
  [[nodiscard]] std::uint32_t find(std::uint64_t id) const {
    if (id < dense_.size()) return dense_[id];
    if (sparse_.empty()) return kNone;
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? kNone : found->second;
  }
  /// Replaces what the id had; whether it had one.
  bool set(std::uint64_t id, std::uint32_t number) {
    if (id >= limit_) return !sparse_.insert_or_assign(id, number).second;
    if (dense_.size() <= id) dense_.resize(std::min<std::uint64_t>(id + 1 + id / 2, limit_), kNone);
    const bool known = dense_[id] != kNone;
    dense_[id] = number;
    return known;
  }

 private:
  static constexpr std::size_t kDenseFactor = 8;

  std::size_t limit_;
  ColumnVector<std::uint32_t> dense_;
  std::unordered_map<std::uint64_t, std::uint32_t> sparse_;
};

}  // namespace rpl
