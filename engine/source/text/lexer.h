// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace rpl {

enum class SourceTokenKind {
  identifier,  ///< keywords too; bytes from 0x80 on count as letters
  number,      ///< a preprocessing number: 1'000, 0x1p-3f
  string,      ///< with its prefix; raw strings too
  character,
  punctuator,  ///< longest match, but `>` always stands alone, so that `>>` closes two template lists
  directive,  ///< a whole preprocessor line with its continuations
};

/// One token of C++ as a compiler sees it after comments and line continuations are gone.
struct SourceToken {
  SourceTokenKind kind = SourceTokenKind::punctuator;
  std::size_t begin = 0;  ///< byte offset
  std::size_t end = 0;    ///< byte offset behind it
  std::size_t line = 1;   ///< 1-based, of its first byte
  /// The spelling without line continuations; digraphs in their usual spelling (`<%` is `{`). A directive: its words without
  /// `#`, one blank between two: `pragma unroll 4`, `define F( x ) x`. A macro's name keeps a `(` that touches it.
  std::string_view text;

  [[nodiscard]] bool is(std::string_view spelling) const {
    return text == spelling &&
           (kind == SourceTokenKind::identifier || kind == SourceTokenKind::punctuator);
  }
  /// The first word of a directive ("pragma", "if"); "" for other tokens and for a lone `#`.
  [[nodiscard]] std::string_view directive() const;
};

/// What a compiler would refuse: an unterminated comment, string or character.
struct LexDefect {
  std::size_t line = 1;
  std::string message;
};

/// The tokens of a text. They refer to that text, which must outlive this, and to `spellings`.
struct LexedSource {
  std::vector<SourceToken> tokens;
  std::vector<LexDefect> defects;
  std::deque<std::string> spellings;  ///< of tokens that are not written as they read
};

/// Takes any bytes apart: never fails, reads nothing outside `source`, takes time linear in its length. The language is that
/// of [lex] in the C++ standard without trigraphs and header units.
LexedSource lex_source(std::string_view source);

/// The 1-based line of byte `offset`.
std::size_t line_of(std::string_view source, std::size_t offset);

}  // namespace rpl
