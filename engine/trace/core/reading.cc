// SPDX-License-Identifier: MIT
#include "engine/trace/core/reading.h"

#include <algorithm>

namespace rpl {

TableReading& Reading::find(std::string_view table) {
  const auto found = std::ranges::find(tables_, table, &TableReading::table);
  if (found != tables_.end()) return *found;
  return tables_.emplace_back(TableReading{std::string(table), 0, 0, 0});
}

void Reading::add(std::string_view table, std::span<const std::uint32_t> read, std::uint64_t all) {
  const std::lock_guard lock(mutex_);
  TableReading& reading = find(table);
  reading.of = std::max(reading.of, all);
  for (const std::uint32_t page : read) {
    if (page >= seen_.size()) seen_.resize(page + page / 2 + 1);
    if (seen_[page]) continue;
    seen_[page] = true;
    ++reading.pages;
  }
}

void Reading::add_through_api(std::string_view table) {
  const std::lock_guard lock(mutex_);
  ++find(table).through_api;
}

std::vector<TableReading> Reading::tables() const {
  const std::lock_guard lock(mutex_);
  return tables_;
}

std::vector<std::uint32_t> Reading::pages() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint32_t> pages;
  for (std::uint32_t page = 0; page < seen_.size(); ++page) {
    if (seen_[page]) pages.push_back(page);
  }
  return pages;
}

}  // namespace rpl
