// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/source/text/lexer.h"

namespace rpl {

/// A half-open range of bytes of a text.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
  [[nodiscard]] bool operator==(const ByteRange&) const = default;
};

inline constexpr std::size_t kNoToken = std::numeric_limits<std::size_t>::max();

/// A text taken apart: the tokens a compiler may see, and for each bracket its partner. Regions under `#if 0` are left out;
/// of other conditionals every branch is there, and brackets continue after `#endif` as the first branch left them.
/// Refers to the text, which must outlive it.
class SourceText {
 public:
  explicit SourceText(std::string_view text);
  SourceText(SourceText&&) = default;
  SourceText& operator=(SourceText&&) = default;

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::span<const SourceToken> tokens() const { return tokens_; }
  [[nodiscard]] const std::vector<LexDefect>& defects() const { return lexed_.defects; }
  [[nodiscard]] std::size_t size() const { return tokens_.size(); }
  [[nodiscard]] const SourceToken& operator[](std::size_t index) const { return tokens_[index]; }
  /// Whether token `index` exists and is `spelling`.
  [[nodiscard]] bool is(std::size_t index, std::string_view spelling) const {
    return index < tokens_.size() && tokens_[index].is(spelling);
  }
  /// The index of the bracket that closes `( [ {` at `index` or that it closes; kNoToken when there is none.
  [[nodiscard]] std::size_t partner(std::size_t index) const { return partner_[index]; }
  /// The index behind the bracketed group that opens at `index`; `index` + 1 for other tokens and unclosed brackets.
  [[nodiscard]] std::size_t after_group(std::size_t index) const;
  /// Behind the template list that `<` at `index` opens; `index` + 1 when it is no such list.
  [[nodiscard]] std::size_t after_angles(std::size_t index, std::size_t limit) const;
  /// The spellings of [begin, end).
  [[nodiscard]] std::vector<std::string_view> words(std::size_t begin, std::size_t end) const;

 private:
  void keep_live_tokens();
  void match_brackets();

  std::string_view text_;
  LexedSource lexed_;
  std::vector<SourceToken> tokens_;
  std::vector<std::size_t> partner_;
};

/// Whether a directive opens, switches or closes a conditional.
bool is_conditional(const SourceToken& token);

}  // namespace rpl
