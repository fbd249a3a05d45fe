// SPDX-License-Identifier: MIT
#include "engine/source/text/source_text.h"

namespace rpl {
namespace {

enum class Conditional { none, opens, switches, closes };

Conditional conditional(const SourceToken& token) {
  const std::string_view word = token.directive();
  if (word == "if" || word == "ifdef" || word == "ifndef") return Conditional::opens;
  if (word.starts_with("el")) return Conditional::switches;
  return word == "endif" ? Conditional::closes : Conditional::none;
}

/// Which branches of the conditionals around a token can be compiled, as far as `#if 0` and `#if 1` say.
class Branches {
 public:
  [[nodiscard]] bool live() const { return open_.empty() || open_.back() == State::live; }

  void pass(const SourceToken& token) {
    const Conditional kind = conditional(token);
    if (kind == Conditional::opens) {
      open_.push_back(!live() ? State::outer_dead : opened(token.text));
    } else if (kind == Conditional::switches && !open_.empty()) {
      if (open_.back() == State::dead) open_.back() = State::live;
    } else if (kind == Conditional::closes && !open_.empty()) {
      open_.pop_back();
    }
  }

 private:
  enum class State { live, dead, outer_dead };
  static State opened(std::string_view text) {
    return text == "if 0" || text == "if false" ? State::dead : State::live;
  }
  std::vector<State> open_;
};

/// The open brackets at a place, innermost first. Each state shares its tail with the one before, so that the states at
/// `#if` can be kept without copies.
class OpenBrackets {
 public:
  [[nodiscard]] std::size_t mark() const { return top_; }
  void restore(std::size_t mark) { top_ = mark; }
  void open(std::size_t token, char kind) {
    const std::size_t brace = top_ == kNoToken ? kNoToken : nodes_[top_].brace;
    nodes_.push_back({token, top_, kind == '{' ? nodes_.size() : brace, kind});
    top_ = nodes_.size() - 1;
  }
  /// The token that a closing bracket of `kind` closes. A brace closes what parentheses are open inside it; a parenthesis
  /// closes no brace.
  std::size_t close(char kind) {
    if (top_ == kNoToken) return kNoToken;
    const std::size_t at = kind == '{' ? nodes_[top_].brace : top_;
    if (at == kNoToken || nodes_[at].kind != kind) return kNoToken;
    top_ = nodes_[at].below;
    return nodes_[at].token;
  }

 private:
  struct Node {
    std::size_t token, below;
    std::size_t brace;  ///< the innermost open brace, this one included
    char kind;
  };
  std::vector<Node> nodes_;
  std::size_t top_ = kNoToken;
};

struct OpenConditional {
  std::size_t before = kNoToken;  ///< the brackets that were open at `#if`
  std::size_t after_first = kNoToken;
  bool switched = false;
};

void pass_conditional(Conditional kind, OpenBrackets& brackets,
                      std::vector<OpenConditional>& open) {
  if (kind == Conditional::opens) {
    open.push_back({brackets.mark()});
  } else if (kind == Conditional::switches && !open.empty()) {
    if (!open.back().switched) open.back().after_first = brackets.mark();
    open.back().switched = true;
    brackets.restore(open.back().before);
  } else if (kind == Conditional::closes && !open.empty()) {
    if (open.back().switched) brackets.restore(open.back().after_first);
    open.pop_back();
  }
}

}  // namespace

bool is_conditional(const SourceToken& token) { return conditional(token) != Conditional::none; }

SourceText::SourceText(std::string_view text) : text_(text), lexed_(lex_source(text)) {
  keep_live_tokens();
  match_brackets();
}

void SourceText::keep_live_tokens() {
  Branches branches;
  for (const SourceToken& token : lexed_.tokens) {
    const bool was_live = branches.live();
    branches.pass(token);
    if (was_live || branches.live()) tokens_.push_back(token);
  }
}

void SourceText::match_brackets() {
  partner_.assign(tokens_.size(), kNoToken);
  OpenBrackets brackets;
  std::vector<OpenConditional> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const SourceToken& token = tokens_[i];
    if (token.kind == SourceTokenKind::directive)
      pass_conditional(conditional(token), brackets, open);
    if (token.kind != SourceTokenKind::punctuator || token.text.size() != 1) continue;
    const char c = token.text[0];
    if (c == '(' || c == '[' || c == '{') brackets.open(i, c);
    const char closes = c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : '\0';
    if (closes == '\0') continue;
    const std::size_t opener = brackets.close(closes);
    if (opener == kNoToken) continue;
    partner_[i] = opener;
    // With `{` before `#else` and its `}` in both branches the first one counts.
    if (partner_[opener] == kNoToken) partner_[opener] = i;
  }
}

std::size_t SourceText::after_group(std::size_t index) const {
  const std::size_t close = partner_[index];
  return close == kNoToken || close < index ? index + 1 : close + 1;
}

std::size_t SourceText::after_angles(std::size_t index, std::size_t limit) const {
  constexpr std::size_t kLongestList = 4096;  // keeps hostile input linear
  std::size_t depth = 0;
  std::size_t steps = 0;
  for (std::size_t i = index; i < limit && steps < kLongestList; i = after_group(i), ++steps) {
    const std::string_view text = tokens_[i].text;
    if (tokens_[i].is("<")) ++depth;
    if (tokens_[i].is(">") && --depth == 0) return i + 1;
    if (text == ";" || text == "{" || text == "}") break;
  }
  return index + 1;
}

std::vector<std::string_view> SourceText::words(std::size_t begin, std::size_t end) const {
  std::vector<std::string_view> result;
  for (std::size_t i = begin; i < end && i < tokens_.size(); ++i) result.push_back(tokens_[i].text);
  return result;
}

}  // namespace rpl
