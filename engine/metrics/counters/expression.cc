// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "engine/base/numbers.h"

namespace rpl {

/// Recursive descent: comparison, sum, product, factor.
class Expression::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { out_.text_ = std::string(text); }

  Result<Expression> run() {
    std::size_t root = TRY(sum());
    if (take('=')) {
      const std::size_t right = TRY(sum());
      root = TRY(add({'=', 0, root, right}));
    }
    if (peek() != '\0') return wrong("something is left over");
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kMaxDepth = 64, kMaxNodes = 1000;

  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] Failure wrong(std::string_view what) const {
    return fail(Errc::usage,
                fmt::format("'{}' is not a formula: {} at column {}", text_, what, at_ + 1),
                "names, numbers, + - * / and parentheses");
  }
  Result<std::size_t> add(Node node) {
    if (out_.nodes_.size() >= kMaxNodes) return fail(Errc::limit, "the formula is too long");
    out_.nodes_.push_back(node);
    return out_.nodes_.size() - 1;
  }

  Result<std::size_t> sum() {
    std::size_t left = TRY(product());
    for (char op = peek(); op == '+' || op == '-'; op = peek()) {
      ++at_;
      const std::size_t right = TRY(product());
      left = TRY(add({op, 0, left, right}));
    }
    return left;
  }
  Result<std::size_t> product() {
    std::size_t left = TRY(factor());
    for (char op = peek(); op == '*' || op == '/'; op = peek()) {
      ++at_;
      const std::size_t right = TRY(factor());
      left = TRY(add({op, 0, left, right}));
    }
    return left;
  }
  Result<std::size_t> factor() {
    if (++depth_ > kMaxDepth) return fail(Errc::limit, "the formula is nested too deeply");
    const std::size_t node = TRY(operand());
    --depth_;
    return node;
  }
  Result<std::size_t> operand() {
    const char first = peek();
    if (take('(')) {
      const std::size_t inner = TRY(sum());
      if (!take(')')) return wrong("a parenthesis is not closed");
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(first))) return number();
    if (std::isalpha(static_cast<unsigned char>(first)) || first == '_') return name();
    return wrong(first == '\0' ? "it ends too early" : "something unexpected");
  }
  Result<std::size_t> number() {
    std::string_view rest = text_.substr(at_);
    const auto value = take_number<double>(rest);
    if (!value) return wrong("a bad number");
    at_ = text_.size() - rest.size();
    return add({'n', *value, 0, 0});
  }
  Result<std::size_t> name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    const std::string word(text_.substr(begin, at_ - begin));
    const auto found = std::ranges::find(out_.inputs_, word);
    const auto place = static_cast<std::size_t>(found - out_.inputs_.begin());
    if (found == out_.inputs_.end()) out_.inputs_.push_back(word);
    return add({'i', 0, place, 0});
  }

  std::string_view text_;
  std::size_t at_ = 0, depth_ = 0;
  Expression out_;
};

Result<Expression> Expression::parse(std::string_view text) { return Parser(text).run(); }

std::optional<double> Expression::value_of(std::size_t index,
                                           const std::vector<std::optional<double>>& inputs) const {
  const Node& node = nodes_[index];
  if (node.kind == 'n') return node.number;
  if (node.kind == 'i') return inputs[node.left];
  const auto left = value_of(node.left, inputs), right = value_of(node.right, inputs);
  if (!left || !right) return std::nullopt;
  switch (node.kind) {
    case '+':
      return *left + *right;
    case '-':
      return *left - *right;
    case '*':
      return *left * *right;
    case '=':
      return *left == *right ? 1.0 : 0.0;
    default:
      return *right == 0 ? std::nullopt : std::optional(*left / *right);
  }
}

std::optional<double> Expression::evaluate(const Lookup& lookup) const {
  if (nodes_.empty()) return std::nullopt;
  std::vector<std::optional<double>> values;
  for (const std::string& input : inputs_) values.push_back(lookup(input));
  return value_of(nodes_.size() - 1, values);
}

}  // namespace rpl
