// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/bytes/byte_source.h"

namespace rpl {

/// Walks the outer structure of a large JSON file in constant memory: it finds where values begin and end, and hands the
/// wanted ones out as text for a real parser. simdjson alone would need the whole file in memory (and refuses more
/// than 4 GiB). What is skipped is checked for balanced brackets and closed strings only.
class JsonScanner {
 public:
  /// A single value or array element larger than this is an error.
  static constexpr std::size_t kMaxValueBytes = std::size_t{1} << 30;

  explicit JsonScanner(ByteSource source, std::size_t most_value_bytes = kMaxValueBytes);

  /// The first character of the next value, after white space: one of `{ [ " t f n - 0…9`. Fails at the end.
  [[nodiscard]] Result<char> peek();
  /// Enters an object or array; fails when the next value is something else.
  [[nodiscard]] Status enter(char open);
  /// In an object: moves to the next member and its key (escapes are left as they are); false after the last.
  [[nodiscard]] Result<bool> next_member(std::string& key);
  /// In an array: moves to the next element; false after the last.
  [[nodiscard]] Result<bool> next_element();
  /// The text of the next value, whole. Valid until the next call.
  [[nodiscard]] Result<std::string_view> value();
  /// In an array: as many whole elements as make about `kBatchBytes`, with the commas between them; empty after the last.
  [[nodiscard]] Result<std::string_view> elements();
  /// The same. Where the file ends inside the array, what is whole of it is given and `cut` is set: nothing follows then.
  [[nodiscard]] Result<std::string_view> whole_elements(bool& cut);
  [[nodiscard]] Status skip();
  /// Whether the end of the file was reached; an error then means that something is missing there.
  [[nodiscard]] bool ended() const { return ended_; }
  /// Offset in the file of what elements() or value() gave.
  [[nodiscard]] std::uint64_t offset_of(std::string_view text) const {
    return base_ + static_cast<std::uint64_t>(text.data() - buffer_.data());
  }

  /// Offset in the file of the next byte to be looked at.
  [[nodiscard]] std::uint64_t offset() const { return base_ + position_; }
  /// Continues at an offset that offset() gave before a value; the nesting around it is forgotten.
  void seek(std::uint64_t offset);
  [[nodiscard]] const ByteSource& source() const { return source_; }
  /// A `corrupt` error that names the file and the byte.
  [[nodiscard]] Error error(std::string_view message) const;

 private:
  static constexpr std::size_t kBatchBytes = std::size_t{1} << 20;
  static constexpr std::size_t kNothingKept = static_cast<std::size_t>(-1);

  /// Reads on; what is before kept_ (or the position) is dropped from the buffer. False at the end of the file.
  Result<bool> refill();
  /// Like peek(), for any character; 0 at the end of the file.
  Result<char> next_char();
  Status expect(char wanted);
  Status pass_value();
  Status pass_string();
  Status pass_nested();
  Status pass_scalar();
  Status after_separator(char close, bool& more);

  /// What whole_elements() gives besides: nothing where the file has ended, else the failure.
  Result<std::string_view> cut_here(Failure failure, bool& cut);

  ByteSource source_;
  std::size_t most_value_bytes_;
  std::vector<char> buffer_;
  std::size_t position_ = 0;
  std::size_t filled_ = 0;
  std::uint64_t base_ = 0;
  std::size_t kept_ = kNothingKept;  ///< start of the text that a caller will get
  bool ended_ = false;
  bool first_ = false;  ///< the next member or element is the first of its container
};

}  // namespace rpl
