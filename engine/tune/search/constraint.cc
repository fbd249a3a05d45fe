// SPDX-License-Identifier: MIT
#include "engine/tune/search/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/base/numbers.h"

namespace rpl::tune {

enum class Op {
  literal,
  parameter,
  negate,
  invert,
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  compare,
  both,
  either,
  least,
  most,
  log2
};
enum class Order { equal, unequal, below, at_most, above, at_least };

struct Constraint::Node {
  Op op = Op::literal;
  Value literal;
  std::size_t parameter = 0;
  std::vector<Order> orders;  ///< of a comparison: one less than children
  std::vector<Node> children;
};

namespace {

using Node = Constraint::Node;
constexpr int kDeepest = 64;
constexpr std::size_t kLongestText = 4096;

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

/// Recursive descent; a rule for each level of binding.
class ConditionParser {
 public:
  ConditionParser(std::string_view text, std::span<const std::string> names)
      : text_(text), names_(names) {}

  Result<Node> whole() {
    Node out = TRY(either());
    skip();
    if (at_ < text_.size()) return wrong("an operator or the end");
    return out;
  }
  std::vector<std::size_t> used;

 private:
  Failure wrong(std::string_view expected) {
    return fail(
        Errc::usage,
        fmt::format("column {} of the condition '{}': {} is expected", at_ + 1, text_, expected),
        "conditions look like \"BLOCK * UNROLL <= 256 and VEC != 3\"");
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    const std::size_t end = at_ + token.size();
    if (starts_name(token[0]) && end < text_.size() && in_name(text_[end])) return false;
    at_ = end;
    return true;
  }
  static Node joined(Op op, Node a, Node b) {
    Node out{.op = op, .literal = {}, .parameter = 0, .orders = {}, .children = {}};
    out.children.push_back(std::move(a));
    out.children.push_back(std::move(b));
    return out;
  }
  Result<Node> either() {
    if (++depth_ > kDeepest) return wrong("a condition that nests less deeply");
    Node out = TRY(both());
    while (take("or") || take("||")) out = joined(Op::either, std::move(out), TRY(both()));
    --depth_;
    return out;
  }
  Result<Node> both() {
    Node out = TRY(inverted());
    while (take("and") || take("&&")) out = joined(Op::both, std::move(out), TRY(inverted()));
    return out;
  }
  Result<Node> inverted() {
    skip();
    const bool sign =
        at_ < text_.size() && text_[at_] == '!' && !text_.substr(at_).starts_with("!=");
    if (!sign && !take("not")) return comparison();
    if (sign) ++at_;
    if (++depth_ > kDeepest) return wrong("a condition that nests less deeply");
    Node out;
    out.op = Op::invert;
    out.children.push_back(TRY(inverted()));
    --depth_;
    return out;
  }
  std::optional<Order> order() {
    if (take("==")) return Order::equal;
    if (take("!=")) return Order::unequal;
    if (take("<=")) return Order::at_most;
    if (take(">=")) return Order::at_least;
    if (take("<")) return Order::below;
    if (take(">")) return Order::above;
    return std::nullopt;
  }
  Result<Node> comparison() {
    Node first = TRY(sum());
    std::optional<Order> found = order();
    if (!found) return first;
    Node out;
    out.op = Op::compare;
    out.children.push_back(std::move(first));
    for (; found; found = order()) {
      out.orders.push_back(*found);
      out.children.push_back(TRY(sum()));
    }
    return out;
  }
  Result<Node> sum() {
    Node out = TRY(product());
    while (true) {
      if (take("+")) {
        out = joined(Op::add, std::move(out), TRY(product()));
      } else if (take("-")) {
        out = joined(Op::subtract, std::move(out), TRY(product()));
      } else {
        return out;
      }
    }
  }
  Result<Node> product() {
    Node out = TRY(signed_one());
    while (true) {
      if (take("*")) {
        out = joined(Op::multiply, std::move(out), TRY(signed_one()));
      } else if (take("//")) {
        out = joined(Op::floor_divide, std::move(out), TRY(signed_one()));
      } else if (take("/")) {
        out = joined(Op::divide, std::move(out), TRY(signed_one()));
      } else if (take("%")) {
        out = joined(Op::modulo, std::move(out), TRY(signed_one()));
      } else {
        return out;
      }
    }
  }
  Result<Node> signed_one() {
    if (!take("-")) return one();
    if (++depth_ > kDeepest) return wrong("a condition that nests less deeply");
    Node out;
    out.op = Op::negate;
    out.children.push_back(TRY(signed_one()));
    --depth_;
    return out;
  }
  Result<Node> one() {
    if (take("(")) {
      Node out = TRY(either());
      if (!take(")")) return wrong("')'");
      return out;
    }
    skip();
    if (at_ >= text_.size()) return wrong("a value");
    const char c = text_[at_];
    if (c == '\'' || c == '"') return quoted(c);
    if ((c >= '0' && c <= '9') || c == '.') return number();
    if (starts_name(c)) return named();
    return wrong("a value");
  }
  Result<Node> quoted(char quote) {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return wrong("a closing quote");
    Node out;
    out.literal = Value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return out;
  }
  Result<Node> number() {
    std::string_view rest = text_.substr(at_);
    const auto value = take_number<double>(rest);
    if (!value) return wrong("a number");
    at_ = text_.size() - rest.size();
    Node out;
    out.literal = Value(*value);
    return out;
  }
  Result<Node> named() {
    std::size_t end = at_;
    while (end < text_.size() && in_name(text_[end])) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    Node out;
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end()) {
      out.op = Op::parameter;
      out.parameter = static_cast<std::size_t>(found - names_.begin());
      used.push_back(out.parameter);
      at_ = end;
      return out;
    }
    if (name == "true" || name == "false" || name == "True" || name == "False") {
      out.literal = Value(name[0] == 't' || name[0] == 'T');
      at_ = end;
      return out;
    }
    const bool two = name == "min" || name == "max";
    if (!two && name != "log2")
      return wrong("a parameter, which '" + std::string(name) + "' is not,");
    at_ = end;
    out.op = name == "min" ? Op::least : name == "max" ? Op::most : Op::log2;
    if (!take("(")) return wrong("'('");
    out.children.push_back(TRY(either()));
    if (two && !take(",")) return wrong("','");
    if (two) out.children.push_back(TRY(either()));
    if (!take(")")) return wrong("')'");
    return out;
  }

  std::string_view text_;
  std::span<const std::string> names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// What a condition is made of: a number, which is false when it is 0, or a text.
struct Operand {
  double number = 0;
  const std::string* text = nullptr;
  [[nodiscard]] bool truth() const { return text != nullptr ? !text->empty() : number != 0; }
};

Operand operand_of(const Value& value) {
  if (const auto* text = value.as<std::string>()) return {.number = 0, .text = text};
  if (const bool* truth = value.as<bool>()) return {.number = *truth ? 1.0 : 0.0};
  return {.number = value.number().value_or(0)};
}

class Evaluator {
 public:
  explicit Evaluator(std::span<const Value* const> values) : values_(values) {}

  Operand of(const Node& node) {
    switch (node.op) {
      case Op::literal:
        return operand_of(node.literal);
      case Op::parameter:
        return operand_of(*values_[node.parameter]);
      case Op::invert:
        return truth(!of(node.children[0]).truth());
      case Op::both:
        return truth(of(node.children[0]).truth() && of(node.children[1]).truth());
      case Op::either:
        return truth(of(node.children[0]).truth() || of(node.children[1]).truth());
      case Op::compare:
        return truth(compared(node));
      default:
        return {.number = calculated(node)};
    }
  }
  std::string problem;

 private:
  static Operand truth(bool holds) { return {.number = holds ? 1.0 : 0.0}; }
  double number(const Node& node) {
    const Operand operand = of(node);
    if (operand.text != nullptr) problem = fmt::format("'{}' is not a number", *operand.text);
    return operand.number;
  }
  bool compared(const Node& node) {
    Operand left = of(node.children[0]);
    for (std::size_t i = 0; i < node.orders.size(); ++i) {
      const Operand right = of(node.children[i + 1]);
      if (!in_order(left, right, node.orders[i])) return false;
      left = right;
    }
    return true;
  }
  bool in_order(const Operand& a, const Operand& b, Order order) {
    if ((a.text == nullptr) != (b.text == nullptr)) {
      if (order == Order::equal || order == Order::unequal) return order == Order::unequal;
      problem = fmt::format("'{}' is not a number", a.text != nullptr ? *a.text : *b.text);
      return false;
    }
    const int sign = a.text != nullptr ? a.text->compare(*b.text)
                                       : (a.number < b.number   ? -1
                                          : a.number > b.number ? 1
                                                                : 0);
    switch (order) {
      case Order::equal:
        return sign == 0;
      case Order::unequal:
        return sign != 0;
      case Order::below:
        return sign < 0;
      case Order::at_most:
        return sign <= 0;
      case Order::above:
        return sign > 0;
      case Order::at_least:
        return sign >= 0;
    }
    return false;
  }
  double calculated(const Node& node) {
    const double a = number(node.children[0]);
    const double b = node.children.size() > 1 ? number(node.children[1]) : 0;
    switch (node.op) {
      case Op::negate:
        return -a;
      case Op::add:
        return a + b;
      case Op::subtract:
        return a - b;
      case Op::multiply:
        return a * b;
      case Op::least:
        return std::min(a, b);
      case Op::most:
        return std::max(a, b);
      case Op::log2:
        return std::log2(a);
      default:
        break;
    }
    if (b == 0) problem = "it divides by zero";
    if (b == 0) return 0;
    if (node.op == Op::divide) return a / b;
    const double floored = std::floor(a / b);
    return node.op == Op::floor_divide ? floored : a - floored * b;
  }

  std::span<const Value* const> values_;
};

}  // namespace

Result<Constraint> Constraint::parse(std::string_view text, std::span<const std::string> names) {
  if (text.size() > kLongestText)
    return fail(Errc::usage, fmt::format("a condition of {} characters", text.size()),
                "at most 4096");
  ConditionParser parser(text, names);
  Constraint out;
  out.text_ = text;
  out.root_ = std::make_shared<const Node>(TRY(parser.whole()));
  std::ranges::sort(parser.used);
  const auto rest = std::ranges::unique(parser.used);
  parser.used.erase(rest.begin(), rest.end());
  out.parameters_ = std::move(parser.used);
  return out;
}

Result<bool> Constraint::holds(std::span<const Value* const> values) const {
  Evaluator evaluator(values);
  const bool out = evaluator.of(*root_).truth();
  if (!evaluator.problem.empty())
    return fail(Errc::usage, fmt::format("the condition '{}': {}", text_, evaluator.problem),
                "'help space define' shows what conditions may hold");
  return out;
}

Result<double> Constraint::calculated(std::span<const Value* const> values) const {
  Evaluator evaluator(values);
  const Operand out = evaluator.of(*root_);
  if (out.text != nullptr) evaluator.problem = fmt::format("'{}' is not a number", *out.text);
  if (evaluator.problem.empty() && !std::isfinite(out.number))
    evaluator.problem = "it has no value";
  if (evaluator.problem.empty()) return out.number;
  return fail(Errc::usage, fmt::format("'{}': {}", text_, evaluator.problem),
              "'help space define' shows how values are calculated");
}

}  // namespace rpl::tune
