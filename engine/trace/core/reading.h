// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rpl {

/// What was read of one table of a database so far.
struct TableReading {
  std::string table;  ///< without the suffix of its recording: "rocpd_event"
  /// Its pages that hold rows and were read, each once however often it was.
  std::uint64_t pages = 0;
  std::uint64_t of = 0;           ///< how many of those there are; 0 when SQLite alone knows
  std::uint64_t through_api = 0;  ///< how often SQLite read the whole table
};

/// The price of what was asked about one file: which pages were read for it. Thread-safe.
class Reading {
 public:
  /// `table` as TableReading has it, `all` of whose pages with rows are in the file; `read` of them were.
  void add(std::string_view table, std::span<const std::uint32_t> read, std::uint64_t all);
  void add_through_api(std::string_view table);

  /// In the order in which they were first read.
  [[nodiscard]] std::vector<TableReading> tables() const;
  /// The numbers of all pages read, rising; of pages that SQLite read itself nothing is known.
  [[nodiscard]] std::vector<std::uint32_t> pages() const;

 private:
  TableReading& find(std::string_view table);

  mutable std::mutex mutex_;
  std::vector<TableReading> tables_;
  std::vector<bool> seen_;  ///< by page
};

}  // namespace rpl
