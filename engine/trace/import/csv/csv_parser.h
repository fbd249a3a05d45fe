// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/bytes/byte_source.h"

namespace rpl {

/// Records of an RFC 4180 file, one at a time, in constant memory: quoted fields with doubled quotes, commas and line
/// breaks inside; LF, CRLF or CR line ends; a byte-order mark; empty lines skipped. A quote inside an unquoted
/// field is taken literally.
class CsvParser {
 public:
  /// A record longer than this many bytes is an error: a quote that is never closed would otherwise read the whole file.
  static constexpr std::size_t kMaxRecordBytes = std::size_t{16} << 20;

  explicit CsvParser(ByteSource source);

  /// Moves to the next record; false at the end of the file.
  [[nodiscard]] Result<bool> next();
  /// The current record. Valid until the next call of next().
  [[nodiscard]] std::span<const std::string_view> fields() const { return fields_; }
  /// 1-based line on which the current record begins.
  [[nodiscard]] std::uint64_t line() const { return record_line_; }
  /// Whether the current record is the last of the file and has no line end, as when writing was cut short.
  [[nodiscard]] bool unterminated() const { return unterminated_; }
  [[nodiscard]] const ByteSource& source() const { return source_; }
  /// Offset of the byte after the current record, for progress reports.
  [[nodiscard]] std::uint64_t offset() const { return base_ + position_; }
  /// A `corrupt` error "FILE:LINE: message" about the current record.
  [[nodiscard]] Error error(std::string_view message) const;

 private:
  enum class Scan { record, more, bad_quote };

  Status refill();
  Scan scan_record();
  /// Scans one field from `at`; leaves `at` on the delimiter, or on the end of the buffer.
  Scan scan_field(std::size_t& at);
  Scan scan_quoted(std::size_t& at);
  /// Steps over a line end at `at`; `more` when a CR is the last byte known.
  Scan step_line_end(std::size_t& at);
  void unescape();

  ByteSource source_;
  std::vector<char> buffer_;
  std::size_t position_ = 0;  ///< start of the next record in buffer_
  std::size_t filled_ = 0;
  std::uint64_t base_ = 0;  ///< file offset of buffer_[0]
  bool at_end_ = false;     ///< buffer_ holds the last byte of the file
  std::uint64_t line_ = 1;
  std::uint64_t record_line_ = 1;
  std::uint64_t newlines_ = 0;
  bool unterminated_ = false;
  std::vector<std::string_view> fields_;
  std::vector<std::size_t> escaped_;  ///< fields that hold doubled quotes
};

}  // namespace rpl
