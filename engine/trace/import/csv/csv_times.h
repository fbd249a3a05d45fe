// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/decimal.h"
#include "engine/trace/import/csv/csv_table.h"

namespace rpl {

/// Start and end of one row.
struct CsvTimes {
  std::int64_t start_ns = 0, end_ns = 0;
};

/// Reads the times of one file and counts the rows whose duration is lost: a spreadsheet turns nanoseconds into "8.1097E+14". Such a
/// row ends when it starts. Lost is a duration of less than ten of the last digit that the finer of both times has.
class CsvTimesReader {
 public:
  CsvTimesReader(std::size_t start, std::size_t end) : start_(start), end_(end) {}

  CsvTimes read(CsvTable& row);
  /// Adds a note when rows were lost.
  void note(std::vector<std::string>& notes) const;

 private:
  std::size_t start_, end_, rows_ = 0, lost_ = 0;
};

}  // namespace rpl
