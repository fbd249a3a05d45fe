// SPDX-License-Identifier: MIT
#include "engine/source/text/lexer.h"

#include <algorithm>
#include <array>

#include "engine/source/text/cursor.h"

namespace rpl {
namespace {

bool starts_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || byte >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool continues_word(char c) { return starts_word(c) || is_digit(c); }

struct Operator {
  std::string_view written, text;
};
// Longest first. What is not here is one character.
constexpr auto kOperators = std::to_array<Operator>(
    {{"%:%:", "##"}, {"<<=", "<<="}, {">>=", ">>="}, {"...", "..."}, {"->*", "->*"}, {"<=>", "<=>"},
     {"::", "::"},   {"->", "->"},   {"++", "++"},   {"--", "--"},   {"<<", "<<"},   {"<=", "<="},
     {">=", ">="},   {"==", "=="},   {"!=", "!="},   {"&&", "&&"},   {"||", "||"},   {"+=", "+="},
     {"-=", "-="},   {"*=", "*="},   {"/=", "/="},   {"%=", "%="},   {"^=", "^="},   {"|=", "|="},
     {"&=", "&="},   {"##", "##"},   {".*", ".*"},   {"<%", "{"},    {"%>", "}"},    {"<:", "["},
     {":>", "]"},    {"%:", "#"}});

class Lexer {
 public:
  explicit Lexer(std::string_view source)
      : source_(source), cursor_(source, source.starts_with("\xEF\xBB\xBF") ? 3 : 0) {}

  LexedSource run() {
    while (!cursor_.done()) {
      if (cursor_.at_line_end()) line_start_ = true;
      if (skip_blank()) continue;
      if (line_start_ && at_hash()) {
        directive();
        continue;
      }
      line_start_ = false;
      out_.tokens.push_back(token());
    }
    return std::move(out_);
  }

 private:
  void take() {
    end_ = cursor_.offset() + 1;
    cursor_.advance();
  }

  /// Passes one blank, line end or comment.
  bool skip_blank() {
    const char c = cursor_.peek();
    if (c == '/' && cursor_.peek_next() == '/') {
      while (!cursor_.done() && !cursor_.at_line_end()) take();
      return true;
    }
    if (c == '/' && cursor_.peek_next() == '*') {
      block_comment();
      return true;
    }
    if (std::string_view(" \t\r\v\f\n\0", 7).find(c) == std::string_view::npos) return false;
    take();
    return true;
  }

  void block_comment() {
    const std::size_t line = cursor_.line();
    take();
    take();
    while (!cursor_.done()) {
      const bool closes = cursor_.peek() == '*' && cursor_.peek_next() == '/';
      take();
      if (!closes) continue;
      take();
      return;
    }
    defect(line, "a comment is not closed");
  }

  [[nodiscard]] bool at_hash() const {
    return cursor_.peek() == '#' || (cursor_.peek() == '%' && cursor_.peek_next() == ':');
  }

  void defect(std::size_t line, std::string message) {
    if (!in_directive_) out_.defects.push_back({line, std::move(message)});
  }

  /// One line up to its end; a comment may carry it over line ends.
  void directive() {
    SourceToken result{SourceTokenKind::directive, cursor_.offset(), 0, cursor_.line(), {}};
    if (cursor_.peek() == '%') take();
    take();
    in_directive_ = true;
    std::string text;
    std::size_t words = 0;
    std::size_t last_end = end_;
    std::size_t last_word_end = 0;
    bool header_next = false;
    while (!cursor_.done() && !cursor_.at_line_end()) {
      if (skip_blank()) continue;
      const SourceToken word = header_next && cursor_.peek() == '<' ? header_name() : token();
      const bool touches = words == 2 && word.text == "(" && word.begin == last_word_end &&
                           text.starts_with("define ");
      if (words > 0 && !touches) text += ' ';
      text += word.text;
      ++words;
      header_next = words == 1 && word.text.starts_with("include");
      last_end = last_word_end = word.end;
    }
    in_directive_ = false;
    result.end = last_end;
    result.text = out_.spellings.emplace_back(std::move(text));
    out_.tokens.push_back(result);
  }

  SourceToken header_name() {
    SourceToken result{SourceTokenKind::string, cursor_.offset(), 0, cursor_.line(), {}};
    while (!cursor_.done() && !cursor_.at_line_end()) {
      const bool last = cursor_.peek() == '>';
      take();
      if (last) break;
    }
    return spelled(result);
  }

  SourceToken token() {
    SourceToken result{SourceTokenKind::punctuator, cursor_.offset(), 0, cursor_.line(), {}};
    const char c = cursor_.peek();
    if (is_digit(c) || (c == '.' && is_digit(cursor_.peek_next()))) {
      result.kind = SourceTokenKind::number;
      number();
    } else if (c == '"' || c == '\'') {
      result.kind = c == '"' ? SourceTokenKind::string : SourceTokenKind::character;
      quoted();
    } else if (starts_word(c)) {
      return word(result);
    } else {
      return punctuator(result);
    }
    return spelled(result);
  }

  SourceToken word(SourceToken result) {
    while (continues_word(cursor_.peek())) take();
    result.kind = SourceTokenKind::identifier;
    const std::string_view text = spelled(result).text;
    const char c = cursor_.peek();
    const bool prefix = text == "u8" || text == "u" || text == "U" || text == "L";
    if (c == '"' &&
        (text == "R" || (text.ends_with('R') && text.size() <= 3 &&
                         std::string_view("u8RLUR").find(text) != std::string_view::npos))) {
      result.kind = SourceTokenKind::string;
      raw_string();
      result.end = end_;
      result.text = source_.substr(result.begin, result.end - result.begin);
      return result;
    }
    if (prefix && (c == '"' || c == '\'')) {
      result.kind = c == '"' ? SourceTokenKind::string : SourceTokenKind::character;
      quoted();
    }
    return spelled(result);
  }

  void number() {
    while (true) {
      const char c = cursor_.peek();
      const char next = cursor_.peek_next();
      const bool signed_exponent = std::string_view("eEpP").find(c) != std::string_view::npos &&
                                   (next == '+' || next == '-');
      if (c != '\0' && signed_exponent) {
        take();
      } else if (!(c == '\'' && continues_word(next)) && c != '.' && !continues_word(c)) {
        return;
      }
      take();
    }
  }

  /// A string or character up to its closing quote, or the end of the line.
  void quoted() {
    const char quote = cursor_.peek();
    const std::size_t line = cursor_.line();
    take();
    while (!cursor_.done() && !cursor_.at_line_end()) {
      const char c = cursor_.peek();
      take();
      if (c == quote) return;
      if (c == '\\' && !cursor_.done() && !cursor_.at_line_end()) take();
    }
    defect(line, quote == '"' ? "a string is not closed" : "a character is not closed");
  }

  void raw_string() {
    const std::size_t line = cursor_.line();
    const std::size_t open = cursor_.offset() + 1;
    constexpr std::size_t kLongestDelimiter = 16;
    const std::size_t bracket = source_.substr(0, open + kLongestDelimiter + 1).find('(', open);
    std::size_t end = open;
    if (bracket != std::string_view::npos) {
      const std::string closing = ")" + std::string(source_.substr(open, bracket - open)) + "\"";
      const std::size_t found = source_.find(closing, bracket);
      end = found == std::string_view::npos ? source_.size() : found + closing.size();
      if (found == std::string_view::npos) defect(line, "a raw string is not closed");
    } else {
      defect(line, "a raw string has no opening parenthesis");
    }
    while (cursor_.offset() < end) cursor_.advance_raw();
    end_ = end;
    cursor_.resume_joining();
  }

  SourceToken punctuator(SourceToken result) {
    if (std::string_view("(){}[];,?~").find(cursor_.peek()) != std::string_view::npos) {
      take();
      return spelled(result);
    }
    SourceCursor ahead = cursor_;
    std::string next;
    while (next.size() < 4 && !ahead.done()) {
      next += ahead.peek();
      ahead.advance();
    }
    for (const Operator& op : kOperators) {
      if (!next.starts_with(op.written)) continue;
      // [lex.pptoken]: `<::` is `<` and `::` unless `:` or `>` follows.
      if (op.written == "<:" && next.starts_with("<::") && !next.starts_with("<:::") &&
          !next.starts_with("<::>")) {
        break;
      }
      for (std::size_t i = 0; i < op.written.size(); ++i) take();
      result.end = end_;
      result.text = op.text;
      return result;
    }
    take();
    return spelled(result);
  }

  /// Ends the token at what was taken last.
  SourceToken spelled(SourceToken token) {
    token.end = end_;
    token.text = source_.substr(token.begin, token.end - token.begin);
    if (token.text.find_first_of("\n\r") == std::string_view::npos) return token;
    std::string text;
    for (SourceCursor at(source_.substr(0, token.end), token.begin); !at.done(); at.advance()) {
      text += at.peek();
    }
    token.text = out_.spellings.emplace_back(std::move(text));
    return token;
  }

  std::string_view source_;
  SourceCursor cursor_;
  LexedSource out_;
  std::size_t end_ = 0;  ///< behind the byte that was taken last
  bool line_start_ = true;
  bool in_directive_ = false;
};

}  // namespace

std::string_view SourceToken::directive() const {
  if (kind != SourceTokenKind::directive) return {};
  return text.substr(0, text.find(' '));
}

LexedSource lex_source(std::string_view source) { return Lexer(source).run(); }

std::size_t line_of(std::string_view source, std::size_t offset) {
  return 1 + static_cast<std::size_t>(std::ranges::count(source.substr(0, offset), '\n'));
}

}  // namespace rpl
