// SPDX-License-Identifier: MIT
#include "engine/trace/import/json/json_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/trace/import/json/json_bytes.h"

namespace rpl {

namespace {

constexpr std::size_t kJsonChunkBytes = std::size_t{1} << 20;

}  // namespace

JsonScanner::JsonScanner(ByteSource source, std::size_t most_value_bytes)
    : source_(std::move(source)), most_value_bytes_(most_value_bytes) {}

Error JsonScanner::error(std::string_view message) const {
  return {Errc::corrupt, fmt::format("{}: byte {}: {}", source_.name(), offset(), message),
          "the recording was probably cut short; record it again"};
}

void JsonScanner::seek(std::uint64_t offset) {
  base_ = offset;
  position_ = filled_ = 0;
  kept_ = kNothingKept;
  first_ = ended_ = false;
}

Result<bool> JsonScanner::refill() {
  TRY(interrupt::check());
  const std::size_t drop = std::min(kept_, position_);
  if (drop > 0) {
    std::memmove(buffer_.data(), buffer_.data() + drop, filled_ - drop);
    base_ += drop;
    filled_ -= drop;
    position_ -= drop;
    if (kept_ != kNothingKept) kept_ -= drop;
  }
  if (filled_ > most_value_bytes_) {
    return Failure(
        error(fmt::format("a single value is larger than {}", format_bytes(most_value_bytes_))));
  }
  // Growing by what is held already keeps the cost of a large value linear.
  const std::size_t room = std::max(kJsonChunkBytes, filled_);
  buffer_.resize(filled_ + room);
  const std::size_t got =
      TRY(source_.read_at(base_ + filled_, std::span(buffer_).subspan(filled_, room)));
  filled_ += got;
  ended_ = got == 0;
  return got > 0;
}

Result<char> JsonScanner::next_char() {
  while (true) {
    while (position_ < filled_ && json_bytes::among(json_bytes::kSpace, buffer_[position_]))
      ++position_;
    if (position_ < filled_) return buffer_[position_];
    if (!TRY(refill())) return '\0';
  }
}

Result<char> JsonScanner::peek() {
  const char c = TRY(next_char());
  if (c == '\0') return Failure(error("the file ends inside the document"));
  return c;
}

Status JsonScanner::expect(char wanted) {
  const char found = TRY(peek());
  if (found != wanted) {
    return Failure(error(fmt::format("expected '{}', found '{}'", wanted, found)));
  }
  ++position_;
  return {};
}

Status JsonScanner::enter(char open) {
  TRY(expect(open));
  first_ = true;
  return {};
}

Status JsonScanner::after_separator(char close, bool& more) {
  const char c = TRY(peek());
  more = c != close;
  if (!more) {
    ++position_;
    first_ = false;
    return {};
  }
  if (!std::exchange(first_, false)) TRY(expect(','));
  return {};
}

Result<bool> JsonScanner::next_member(std::string& key) {
  bool more = false;
  TRY(after_separator('}', more));
  if (!more) return false;
  if (TRY(peek()) != '"') return Failure(error("expected a key"));
  kept_ = position_;
  TRY(pass_string());
  key.assign(buffer_.data() + kept_ + 1, position_ - kept_ - 2);
  kept_ = kNothingKept;
  TRY(expect(':'));
  return true;
}

Result<bool> JsonScanner::next_element() {
  bool more = false;
  TRY(after_separator(']', more));
  return more;
}

Result<std::string_view> JsonScanner::value() {
  TRY(peek());
  kept_ = position_;
  TRY(pass_value());
  const std::string_view text(buffer_.data() + kept_, position_ - kept_);
  kept_ = kNothingKept;
  return text;
}

Result<std::string_view> JsonScanner::elements() {
  bool cut = false;
  const std::string_view text = TRY(whole_elements(cut));
  if (cut) return Failure(error("the file ends inside the document"));
  return text;
}

Result<std::string_view> JsonScanner::cut_here(Failure failure, bool& cut) {
  kept_ = kNothingKept;
  if (!ended_) return failure;
  cut = true;
  return std::string_view();
}

Result<std::string_view> JsonScanner::whole_elements(bool& cut) {
  cut = false;
  bool more = false;
  if (Status separated = after_separator(']', more); !separated)
    return cut_here(std::move(separated).failure(), cut);
  if (!more) return std::string_view();
  if (auto next = peek(); !next) return cut_here(std::move(next).failure(), cut);
  kept_ = position_;
  std::size_t length = 0;
  while (true) {
    Status passed = pass_value();
    if (passed) {
      length = position_ - kept_;
      if (length >= kBatchBytes) break;
      const auto next = peek();
      if (next && *next != ',') break;
      if (next) ++position_;
      passed = next ? Status() : Status(Failure(next.error()));
      if (auto behind = peek(); passed && !behind) passed = std::move(behind).failure();
      if (passed) continue;
    }
    if (!ended_) return std::move(passed).failure();
    cut = true;
    break;
  }
  const std::string_view text(buffer_.data() + kept_, length);
  kept_ = kNothingKept;
  return text;
}

Status JsonScanner::skip() {
  TRY(peek());
  return pass_value();
}

Status JsonScanner::pass_value() {
  const char c = buffer_[position_];
  if (c == '"') return pass_string();
  if (c == '{' || c == '[') return pass_nested();
  return pass_scalar();
}

Status JsonScanner::pass_string() {
  ++position_;
  while (true) {
    const char* const at = buffer_.data() + position_;
    const void* const found = std::memchr(at, '"', filled_ - position_);
    if (found == nullptr) {
      // Backslashes at the end of the buffer belong to what follows: they must be seen again with it.
      std::size_t keep = filled_;
      while (keep > position_ && buffer_[keep - 1] == '\\') --keep;
      const std::size_t open = filled_ - keep;
      position_ = keep;
      if (!TRY(refill()))
        return Failure(error("a string is not closed before the end of the file"));
      if (open > kJsonChunkBytes) return Failure(error("a string holds too many backslashes"));
      continue;
    }
    const char* const quote = static_cast<const char*>(found);
    const char* slash = quote;
    while (slash > at && slash[-1] == '\\') --slash;
    position_ = static_cast<std::size_t>(quote - buffer_.data()) + 1;
    if ((quote - slash) % 2 == 0) return {};
  }
}

Status JsonScanner::pass_nested() {
  std::size_t depth = 0;
  while (true) {
    while (position_ < filled_ && !json_bytes::among(json_bytes::kStructure, buffer_[position_]))
      ++position_;
    if (position_ == filled_) {
      if (!TRY(refill())) return Failure(error("the file ends inside the document"));
      continue;
    }
    const char c = buffer_[position_];
    if (c == '"') {
      TRY(pass_string());
      continue;
    }
    ++position_;
    depth = c == '{' || c == '[' ? depth + 1 : depth - 1;
    if (depth == 0) return {};
  }
}

Status JsonScanner::pass_scalar() {
  const std::uint64_t begin = offset();
  while (true) {
    while (position_ < filled_ && !json_bytes::among(json_bytes::kScalarEnd, buffer_[position_]))
      ++position_;
    if (position_ < filled_ || !TRY(refill())) break;
  }
  if (offset() == begin) {
    return Failure(error(fmt::format("expected a value, found '{}'", buffer_[position_])));
  }
  return {};
}

}  // namespace rpl
