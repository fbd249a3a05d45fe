// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/decimal.h"
#include "engine/base/result.h"
#include "engine/trace/import/csv/csv_parser.h"

namespace rpl {

/// A CSV file with a header, read by column name. Values are fetched from the current row; the first value that is not what
/// it was asked to be makes the next call of next() fail with "FILE:LINE: column: …".
class CsvTable {
 public:
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

  /// Reads the header. Fails with corrupt when there is none.
  static Result<CsvTable> open(ByteSource source);
  static Result<CsvTable> open(const std::string& path);

  /// Position of a column, matched without regard to case; kAbsent when the file does not have it.
  [[nodiscard]] std::size_t column(std::string_view name) const;
  /// The same, failing with `unsupported` when it is absent.
  [[nodiscard]] Result<std::size_t> required(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return column(name) != kAbsent; }
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }

  /// Moves to the next row; false after the last one. Fails on a wrong number of fields, except in a last row that has no
  /// line end: that one is left out and truncated() is true afterwards.
  [[nodiscard]] Result<bool> next();
  [[nodiscard]] bool truncated() const { return truncated_; }
  [[nodiscard]] std::uint64_t line() const { return parser_.line(); }
  [[nodiscard]] std::uint64_t offset() const { return parser_.offset(); }
  [[nodiscard]] std::uint64_t bytes() const { return parser_.source().size(); }
  [[nodiscard]] const std::string& name() const { return parser_.source().name(); }

  // Values of the current row. An absent column or an empty field gives the zero value.
  [[nodiscard]] std::string_view text(std::size_t column) const;
  [[nodiscard]] std::int64_t integer(std::size_t column);
  [[nodiscard]] std::uint32_t count(std::size_t column);
  [[nodiscard]] std::uint64_t handle(std::size_t column);
  [[nodiscard]] double number(std::size_t column);
  /// A number that some programs write with a fraction or an exponent, as times.
  [[nodiscard]] RoundedDecimal rounded(std::size_t column);
  /// "Agent 4", "4" and "GPU 4" give 4; -1 for an absent column or an empty field.
  [[nodiscard]] std::int64_t agent(std::size_t column);

 private:
  explicit CsvTable(ByteSource source) : parser_(std::move(source)) {}
  template <class T, class Parse>
  T value(std::size_t column, std::string_view wanted, Parse parse);

  CsvParser parser_;
  std::vector<std::string> header_;
  bool truncated_ = false;
  std::optional<Error> bad_value_;
};

}  // namespace rpl
