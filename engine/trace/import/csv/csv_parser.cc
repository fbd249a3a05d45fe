// SPDX-License-Identifier: MIT
#include "engine/trace/import/csv/csv_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace rpl {

namespace {

constexpr std::size_t kCsvChunkBytes = std::size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

CsvParser::CsvParser(ByteSource source) : source_(std::move(source)) {}

Error CsvParser::error(std::string_view message) const {
  return {Errc::corrupt, fmt::format("{}:{}: {}", source_.name(), record_line_, message),
          "the file may be cut short or not a rocprofv3 CSV; record it again"};
}

Status CsvParser::refill() {
  if (position_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + position_, filled_ - position_);
    base_ += position_;
    filled_ -= position_;
    position_ = 0;
  }
  if (filled_ > kMaxRecordBytes) {
    return Failure(error("a record is longer than 16 MiB, a quote is probably never closed"));
  }
  const bool first = base_ == 0 && filled_ == 0;
  buffer_.resize(filled_ + kCsvChunkBytes);
  const std::size_t got =
      TRY(source_.read_at(base_ + filled_, std::span(buffer_).subspan(filled_)));
  filled_ += got;
  at_end_ = got < kCsvChunkBytes;
  if (first && std::string_view(buffer_.data(), filled_).starts_with(kByteOrderMark)) {
    position_ = kByteOrderMark.size();
  }
  return {};
}

Result<bool> CsvParser::next() {
  line_ += newlines_;
  newlines_ = 0;
  while (true) {
    record_line_ = line_;
    if (position_ == filled_ && at_end_) return false;
    const Scan scan = position_ == filled_ ? Scan::more : scan_record();
    if (scan == Scan::bad_quote) {
      return Failure(
          error(fmt::format("text follows the closing quote of field {}", fields_.size() + 1)));
    }
    if (scan == Scan::more) {
      if (at_end_) return Failure(error("a quoted field is not closed before the end of the file"));
      TRY(refill());
      continue;
    }
    if (fields_.size() > 1 || !fields_[0].empty()) break;
    line_ += std::exchange(newlines_, 0);
  }
  unescape();
  return true;
}

CsvParser::Scan CsvParser::scan_record() {
  fields_.clear();
  escaped_.clear();
  newlines_ = 0;
  unterminated_ = false;
  std::size_t at = position_;
  while (true) {
    const Scan scan = scan_field(at);
    if (scan != Scan::record) return scan;
    if (at == filled_) {
      unterminated_ = true;
      break;
    }
    if (buffer_[at] != ',') {
      if (step_line_end(at) == Scan::more) return Scan::more;
      break;
    }
    ++at;
  }
  position_ = at;
  return Scan::record;
}

CsvParser::Scan CsvParser::scan_field(std::size_t& at) {
  if (at < filled_ && buffer_[at] == '"') return scan_quoted(at);
  const std::size_t begin = at;
  while (at < filled_ && buffer_[at] != ',' && buffer_[at] != '\n' && buffer_[at] != '\r') ++at;
  if (at == filled_ && !at_end_) return Scan::more;
  fields_.emplace_back(buffer_.data() + begin, at - begin);
  return Scan::record;
}

CsvParser::Scan CsvParser::scan_quoted(std::size_t& at) {
  const std::size_t begin = ++at;
  bool doubled = false;
  while (true) {
    const void* found = std::memchr(buffer_.data() + at, '"', filled_ - at);
    if (found == nullptr) return Scan::more;
    at = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
    if (at + 1 == filled_) {
      if (!at_end_) return Scan::more;
      break;
    }
    if (buffer_[at + 1] != '"') break;
    doubled = true;
    at += 2;
  }
  const std::string_view content(buffer_.data() + begin, at - begin);
  ++at;
  if (at < filled_ && buffer_[at] != ',' && buffer_[at] != '\n' && buffer_[at] != '\r') {
    return Scan::bad_quote;
  }
  newlines_ += static_cast<std::uint64_t>(std::count(content.begin(), content.end(), '\n'));
  if (doubled) escaped_.push_back(fields_.size());
  fields_.push_back(content);
  return Scan::record;
}

CsvParser::Scan CsvParser::step_line_end(std::size_t& at) {
  const bool carriage_return = buffer_[at] == '\r';
  if (carriage_return && at + 1 == filled_ && !at_end_) return Scan::more;
  ++at;
  if (carriage_return && at < filled_ && buffer_[at] == '\n') ++at;
  ++newlines_;
  return Scan::record;
}

void CsvParser::unescape() {
  // In place, after the record is complete: a scan that is started again must see the bytes of the file.
  for (const std::size_t index : escaped_) {
    char* const begin = buffer_.data() + (fields_[index].data() - buffer_.data());
    char* write = begin;
    for (std::size_t i = 0; i < fields_[index].size(); ++i) {
      const char c = fields_[index][i];
      *write++ = c;
      if (c == '"') ++i;
    }
    fields_[index] = {begin, static_cast<std::size_t>(write - begin)};
  }
}

}  // namespace rpl
