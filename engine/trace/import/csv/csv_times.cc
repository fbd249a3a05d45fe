// SPDX-License-Identifier: MIT
#include "engine/trace/import/csv/csv_times.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

/// An error of at most one digit in ten.
constexpr std::uint64_t kFewestOfLastDigit = 10;

}  // namespace

CsvTimes CsvTimesReader::read(CsvTable& row) {
  ++rows_;
  const RoundedDecimal start = row.rounded(start_), end = row.rounded(end_);
  CsvTimes times{start.value, end.value};
  const auto last = static_cast<std::uint64_t>(std::min(start.last_digit, end.last_digit));
  if (last == 1) return times;
  const std::uint64_t duration =
      end.value < start.value
          ? 0
          : static_cast<std::uint64_t>(end.value) - static_cast<std::uint64_t>(start.value);
  if (duration / kFewestOfLastDigit >= last) return times;
  times.end_ns = times.start_ns;
  ++lost_;
  return times;
}

void CsvTimesReader::note(std::vector<std::string>& notes) const {
  if (lost_ == 0) return;
  notes.push_back(
      fmt::format("{} of {} rows have times with too few digits (8.1097E+14), as spreadsheets "
                  "write them: their "
                  "durations are lost",
                  format_count(lost_), format_count(rows_)));
}

}  // namespace rpl
