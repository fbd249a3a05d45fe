// SPDX-License-Identifier: MIT
#include "engine/trace/import/csv/csv_table.h"

#include <fmt/format.h>
#include <strings.h>

#include <utility>

#include "engine/base/numbers.h"

namespace rpl {

namespace {

constexpr std::size_t kShownChars = 40;

std::string shown(std::string_view text) {
  if (text.size() <= kShownChars) return std::string(text);
  return fmt::format("{}…", text.substr(0, kShownChars));
}

template <class T>
std::optional<T> decimal(std::string_view text) {
  return whole_number<T>(text);
}

}  // namespace

Result<CsvTable> CsvTable::open(const std::string& path) {
  return open(TRY(ByteSource::open_unpacked(path)));
}

Result<CsvTable> CsvTable::open(ByteSource source) {
  CsvTable table(std::move(source));
  if (!TRY(table.parser_.next())) {
    return fail(Errc::corrupt, fmt::format("{} is empty", table.name()),
                "rocprofv3 writes a header even without rows; record it again");
  }
  for (const std::string_view field : table.parser_.fields()) table.header_.emplace_back(field);
  return table;
}

std::size_t CsvTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < header_.size(); ++i) {
    if (header_[i].size() == name.size() &&
        ::strncasecmp(header_[i].data(), name.data(), name.size()) == 0) {
      return i;
    }
  }
  return kAbsent;
}

Result<std::size_t> CsvTable::required(std::string_view name) const {
  const std::size_t found = column(name);
  if (found != kAbsent) return found;
  std::string columns;
  for (const std::string& each : header_) columns += (columns.empty() ? "" : ", ") + shown(each);
  return fail(
      Errc::unsupported,
      fmt::format("{}:1: there is no column '{}' among {}", this->name(), name, shown(columns)),
      "open the *_kernel_trace.csv of rocprofv3");
}

Result<bool> CsvTable::next() {
  if (bad_value_) return Failure(*std::exchange(bad_value_, std::nullopt));
  if (truncated_ || !TRY(parser_.next())) return false;
  const std::size_t found = parser_.fields().size();
  if (found == header_.size()) return true;
  if (found < header_.size() && parser_.unterminated()) {
    truncated_ = true;
    return false;
  }
  return Failure(
      parser_.error(fmt::format("{} fields where the header has {}", found, header_.size())));
}

std::string_view CsvTable::text(std::size_t column) const {
  return column < parser_.fields().size() ? parser_.fields()[column] : std::string_view{};
}

template <class T, class Parse>
T CsvTable::value(std::size_t column, std::string_view wanted, Parse parse) {
  const std::string_view field = text(column);
  if (field.empty()) return T{};
  if (const auto parsed = parse(field)) return *parsed;
  if (!bad_value_) {
    bad_value_ =
        parser_.error(fmt::format("{}: '{}' is not {}", header_[column], shown(field), wanted));
  }
  return T{};
}

std::int64_t CsvTable::integer(std::size_t column) {
  return value<std::int64_t>(column, "a 64-bit whole number", decimal<std::int64_t>);
}

std::uint32_t CsvTable::count(std::size_t column) {
  return value<std::uint32_t>(column, "a whole number from 0 to 4294967295",
                              decimal<std::uint32_t>);
}

std::uint64_t CsvTable::handle(std::size_t column) {
  return value<std::uint64_t>(column, "a 64-bit handle", parse_handle);
}

double CsvTable::number(std::size_t column) {
  return value<double>(column, "a number", decimal<double>);
}

RoundedDecimal CsvTable::rounded(std::size_t column) {
  return value<RoundedDecimal>(column, "a 64-bit number", rounded_decimal);
}

std::int64_t CsvTable::agent(std::size_t column) {
  if (text(column).empty()) return -1;
  return static_cast<std::int64_t>(
      value<std::uint64_t>(column, "an agent (\"Agent 4\" or 4)", trailing_number));
}

}  // namespace rpl
