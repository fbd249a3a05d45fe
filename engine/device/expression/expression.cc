// SPDX-License-Identifier: MIT
#include "engine/device/expression/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>

namespace rpl::debug {
namespace {

using Kind = Expression::Kind;
using Base = Type::Base;

bool word_begins(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool word_goes_on(char c) { return word_begins(c) || (c >= '0' && c <= '9'); }

struct Operator {
  std::string_view text;
  int level;
};
/// Of two operands, those with more characters first. A higher level binds tighter, as in C; `@` as in GDB.
constexpr Operator kOperators[] = {
    {"<<=", 0}, {">>=", 0}, {"||", 3},  {"&&", 4},  {"==", 8},  {"!=", 8},  {"~=", 8},  {"<=", 9},
    {">=", 9},  {"<<", 10}, {">>", 10}, {"+=", 0},  {"-=", 0},  {"*=", 0},  {"/=", 0},  {"%=", 0},
    {"&=", 0},  {"|=", 0},  {"^=", 0},  {"->", -1}, {"//", 13}, {"++", -1}, {"--", -1}, {"=", 0},
    {"?", 2},   {"|", 5},   {"^", 6},   {"&", 7},   {"<", 9},   {">", 9},   {"@", 11},  {"+", 12},
    {"-", 12},  {"*", 13},  {"/", 13},  {"%", 13}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kWords{
    {{"and", "&&"}, {"or", "||"}, {"not", "!"}}};

/// Words that begin a type, for `(int)x`.
bool is_type_word(std::string_view word) {
  constexpr std::string_view kMore[] = {"const", "unsigned", "signed", "long",
                                        "short", "struct",   "void",   "volatile"};
  if (std::ranges::find(kMore, word) != std::end(kMore)) return true;
  constexpr std::string_view kShort[] = {"f32", "f64", "f16", "i32", "u32", "i64", "u64"};
  // These are functions of conditions, too: f32(v(3)).
  return std::ranges::find(kShort, word) == std::end(kShort) && parse_type(word).has_value();
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Expression> run() {
    Expression out = TRY(binary(0));
    blanks();
    if (at_ < text_.size()) return unexpected();
    return out;
  }

 private:
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  Failure unexpected() {
    blanks();
    if (at_ >= text_.size())
      return fail(Errc::usage, fmt::format("'{}' ends too early", text_),
                  "something is missing at its end");
    const std::size_t end = std::min(text_.find_first_of(" \t", at_), text_.size());
    return fail(Errc::usage,
                fmt::format("unexpected '{}' at column {} of '{}'", text_.substr(at_, end - at_),
                            at_ + 1, text_),
                std::string(instead()));
  }
  /// What does here what stands at this place.
  [[nodiscard]] std::string_view instead() const {
    if (rest().starts_with("++") || rest().starts_with("--"))
      return "a value is written by 'set var NAME += 1', or 'print NAME += 1'";
    if (rest().starts_with(","))
      return "one expression a line: 'print in[0]@2' shows elements, 'printf \"%g %g\\n\", A, B' "
             "several values";
    if (rest().starts_with("mask "))
      return "a mask is a part of the expression: 'watch in[0] & 0xff'";
    return "expressions are C: print $v2 + 1, print (float)$v6, print *in@8";
  }
  bool take(std::string_view token) {
    blanks();
    if (!rest().starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && word_goes_on(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  /// The operator that stands here; "and" and "or" count as && and ||.
  Operator next_operator(std::size_t& length) {
    blanks();
    for (const auto& [text, meaning] : kWords) {
      if (!rest().starts_with(text) || text == "not") continue;
      if (rest().size() > text.size() && word_goes_on(rest()[text.size()])) continue;
      length = text.size();
      return {meaning, meaning == "&&" ? 4 : 3};
    }
    for (const Operator& op : kOperators) {
      if (!rest().starts_with(op.text)) continue;
      length = op.text.size();
      return op;
    }
    return {"", -1};
  }

  Result<Expression> binary(int least) {
    Expression left = TRY(unary());
    for (;;) {
      std::size_t length = 0;
      const Operator op = next_operator(length);
      if (op.level < least || op.level < 0) return left;
      at_ += length;
      if (op.text == "?") {
        Expression yes = TRY(binary(1));
        if (!take(":")) return unexpected();
        Expression no = TRY(binary(2));
        left = {.kind = Kind::conditional,
                .parts = {std::move(left), std::move(yes), std::move(no)}};
      } else if (op.level == 0) {
        Expression right = TRY(binary(0));
        std::string inner(op.text.substr(0, op.text.size() - 1));
        left = {.kind = Kind::assign,
                .text = std::move(inner),
                .parts = {std::move(left), std::move(right)}};
      } else {
        Expression right = TRY(binary(op.level + 1));
        const std::string_view text = op.text == "~=" ? "!=" : op.text == "//" ? "/" : op.text;
        left = {.kind = Kind::binary,
                .text = std::string(text),
                .parts = {std::move(left), std::move(right)}};
      }
    }
  }

  Result<Expression> unary() {
    if (++depth_ > kDeepest)
      return fail(Errc::limit, "the expression is nested too deeply", "take it apart");
    auto out = unary_inner();
    --depth_;
    return out;
  }

  Result<Expression> unary_inner() {
    blanks();
    if (rest().starts_with("not") && (rest().size() == 3 || !word_goes_on(rest()[3]))) {
      at_ += 3;
      Expression operand = TRY(unary());
      return Expression{.kind = Kind::unary, .text = "!", .parts = {std::move(operand)}};
    }
    if (rest().starts_with("++") || rest().starts_with("--")) return unexpected();
    for (const char c : {'-', '+', '!', '~', '*', '&'}) {
      if (!rest().starts_with(c) || rest().starts_with("&&") || rest().starts_with("~=")) continue;
      ++at_;
      Expression operand = TRY(unary());
      return Expression{.kind = Kind::unary, .text = {c}, .parts = {std::move(operand)}};
    }
    if (const auto type = TRY(type_between('(', ')'))) {
      Expression operand = TRY(unary());
      return Expression{
          .kind = Kind::cast, .value = {.type = *type}, .parts = {std::move(operand)}};
    }
    if (auto cast = named_cast()) {
      cast->parts.push_back(TRY(unary()));
      return std::move(*cast);
    }
    // GDB's {int} ADDRESS is what lies there.
    if (auto type = TRY(type_between('{', '}'))) {
      ++type->pointers;
      Expression operand = TRY(unary());
      Expression cast{.kind = Kind::cast, .value = {.type = *type}, .parts = {std::move(operand)}};
      return Expression{.kind = Kind::unary, .text = "*", .parts = {std::move(cast)}};
    }
    return postfix(TRY(primary()));
  }

  /// "(unsigned int *)"; nothing, and nothing taken, for what is no type.
  Result<std::optional<Type>> type_between(char open, char close) {
    if (!rest().starts_with(open)) return std::optional<Type>();
    const std::size_t end = rest().find(close);
    if (end == std::string_view::npos) return std::optional<Type>();
    std::string_view inner = rest().substr(1, end - 1);
    while (inner.starts_with(' ')) inner.remove_prefix(1);
    const std::size_t first =
        static_cast<std::size_t>(std::ranges::find_if_not(inner, word_goes_on) - inner.begin());
    if (inner.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ *") !=
            std::string_view::npos ||
        !is_type_word(inner.substr(0, first)))
      return std::optional<Type>();
    const Type type = TRY(parse_type(inner));
    at_ += end + 1;
    return std::optional(type);
  }

  /// "(Mode)5", "(const Point *)$arg1": of a type that only the source knows. Nothing, and nothing taken, where it may be something else in brackets.
  std::optional<Expression> named_cast() {
    const std::size_t end = rest().find(')');
    if (!rest().starts_with('(') || end == std::string_view::npos) return std::nullopt;
    std::string_view name = rest().substr(1, end - 1);
    for (const std::string_view front : {"const ", "struct ", "enum ", "class "}) {
      if (name.starts_with(front)) name.remove_prefix(front.size());
    }
    std::uint8_t pointers = 0;
    while (name.ends_with('*') || name.ends_with(' ')) {
      if (name.ends_with('*')) ++pointers;
      name.remove_suffix(1);
    }
    const auto odd = std::ranges::find_if_not(
        name, [](char c) { return word_goes_on(c) || c == ':' || c == '<' || c == '>'; });
    if (name.empty() || !word_begins(name[0]) || odd != name.end()) return std::nullopt;
    const std::size_t next = rest().find_first_not_of(' ', end + 1);
    const char behind = next == std::string_view::npos ? ' ' : rest()[next];
    // What begins a value cannot follow one: it was a type.
    if (pointers == 0 && !word_goes_on(behind) && behind != '$') return std::nullopt;
    if (pointers == 0 &&
        (rest().substr(next).starts_with("and ") || rest().substr(next).starts_with("or ")))
      return std::nullopt;
    Expression cast{.kind = Kind::cast, .text = std::string(name)};
    cast.value.type.pointers = pointers;
    at_ += end + 1;
    return cast;
  }

  Result<Expression> postfix(Expression left) {
    for (;;) {
      blanks();
      if (take("[")) {
        Expression index = TRY(binary(0));
        if (!take("]")) return unexpected();
        left = {.kind = Kind::index, .parts = {std::move(left), std::move(index)}};
      } else if (rest().starts_with("->") ||
                 (rest().starts_with(".") && !rest().starts_with(".."))) {
        at_ += rest()[0] == '.' ? 1 : 2;
        blanks();
        const std::string_view member = word();
        if (member.empty()) return unexpected();
        left = {.kind = Kind::member, .text = std::string(member), .parts = {std::move(left)}};
      } else if (rest().starts_with(":") && !rest().starts_with("::") && rest().size() > 1 &&
                 word_begins(rest()[1]) && left.kind == Kind::name &&
                 (left.text == "lds" || left.text == "mem")) {
        // lds:f32(16), as Lua calls it.
        ++at_;
        left = {.kind = Kind::member, .text = std::string(word()), .parts = {std::move(left)}};
      } else if (take("(")) {
        Expression call{.kind = Kind::call, .parts = {std::move(left)}};
        while (!take(")")) {
          if (call.parts.size() > 1 && !take(",")) return unexpected();
          call.parts.push_back(TRY(binary(0)));
        }
        left = std::move(call);
      } else {
        return left;
      }
    }
  }

  Result<Expression> primary() {
    blanks();
    if (at_ >= text_.size()) return unexpected();
    const char c = text_[at_];
    if (take("(")) {
      Expression inner = TRY(binary(0));
      if (!take(")")) return unexpected();
      return inner;
    }
    if (c == '$') return variable();
    if (c == '"' || c == '\'') return quoted(c);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 ||
        (c == '.' && at_ + 1 < text_.size() &&
         std::isdigit(static_cast<unsigned char>(text_[at_ + 1])) != 0))
      return number();
    if (!word_begins(c)) return unexpected();
    std::string name(word());
    while (rest().starts_with("::") && rest().size() > 2 && word_begins(rest()[2])) {
      at_ += 2;
      name += "::" + std::string(word());
    }
    if (name == "sizeof") return size_of();
    if (name == "true" || name == "false")
      return Expression{.value = integer_datum(name == "true" ? 1 : 0, Base::boolean)};
    // Words of Lua that no variable of C has.
    for (const std::string_view lua : {"nil", "function", "local", "then", "elseif", "repeat"}) {
      if (name == lua) return unexpected();
    }
    return Expression{.kind = Kind::name, .text = std::move(name)};
  }

  Result<Expression> size_of() {
    blanks();
    if (auto type = TRY(type_between('(', ')')))
      return Expression{.kind = Kind::size_of, .value = {.type = *type}};
    Expression operand = TRY(unary());
    return Expression{.kind = Kind::size_of, .parts = {std::move(operand)}};
  }

  /// $v3, $s[0:1], $1, $, $$2, $name
  Result<Expression> variable() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] == '$' && at_ < begin + 2) ++at_;
    const std::string_view name = word();
    const bool kind = name == "v" || name == "s" || name == "a";
    if (kind && rest().starts_with('[')) {
      const std::size_t close = rest().find(']');
      const std::string_view inner = rest().substr(0, std::min(close, rest().size()));
      if (inner.find(':') != std::string_view::npos && close != std::string_view::npos)
        at_ += close + 1;
      // "$s[0:1]_f64": with a type behind it.
      if (rest().starts_with('_')) word();
    }
    return Expression{.kind = Kind::variable,
                      .text = std::string(text_.substr(begin, at_ - begin))};
  }

  Result<Expression> quoted(char quote) {
    std::string out;
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        const char c = text_[at_++];
        out += c == 'n' ? '\n' : c == 't' ? '\t' : c == '0' ? '\0' : c;
        continue;
      }
      out += text_[at_++];
    }
    if (at_ >= text_.size()) {
      at_ = begin;
      return fail(Errc::usage, fmt::format("a quote is not closed in '{}'", text_), "close it");
    }
    ++at_;
    if (quote == '\'' && out.size() == 1)
      return Expression{.value = integer_datum(static_cast<signed char>(out[0]), Base::character)};
    Expression text{.value = {.type = {.base = Base::text}}};
    text.value.text = std::move(out);
    return text;
  }

  Result<Expression> number() {
    const std::size_t begin = at_;
    const bool hex = rest().starts_with("0x") || rest().starts_with("0X");
    const bool binary = rest().starts_with("0b") || rest().starts_with("0B");
    bool real = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      const bool exponent = !hex && at_ > begin &&
                            (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') &&
                            (c == '+' || c == '-');
      if (c == '.' && rest().starts_with("..")) break;
      if (!word_goes_on(c) && c != '.' && !exponent) break;
      real = real || c == '.' || exponent || (!hex && !binary && (c == 'e' || c == 'E'));
    }
    std::string digits(text_.substr(begin, at_ - begin));
    const auto wrong = [&] {
      at_ = begin;
      return fail(Errc::usage, fmt::format("'{}' is not a number", digits), "10, 0x10, 1.5, 1e-3");
    };
    if (real) {
      const bool single = digits.ends_with('f') || digits.ends_with('F');
      if (single) digits.pop_back();
      char* end = nullptr;
      const double value = std::strtod(digits.c_str(), &end);
      if (end != digits.c_str() + digits.size()) return wrong();
      return Expression{
          .value = real_datum(single ? static_cast<double>(static_cast<float>(value)) : value,
                              single ? Base::f32 : Base::f64)};
    }
    bool is_unsigned = false, is_long = false;
    while (!digits.empty() &&
           std::string_view("uUlL").find(digits.back()) != std::string_view::npos) {
      is_unsigned = is_unsigned || digits.back() == 'u' || digits.back() == 'U';
      is_long = is_long || digits.back() == 'l' || digits.back() == 'L';
      digits.pop_back();
    }
    const bool octal = !hex && !binary && digits.size() > 1 && digits[0] == '0';
    const char* first = digits.data() + (hex || binary ? 2 : 0);
    const char* last = digits.data() + digits.size();
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(first, last, value,
                                                hex      ? 16
                                                : binary ? 2
                                                : octal  ? 8
                                                         : 10);
    if (problem != std::errc() || end != last) return wrong();
    const Base base = is_unsigned || value >> 63 != 0
                          ? (is_long || value >> 32 != 0 ? Base::u64 : Base::u32)
                      : is_long || value > 0x7fffffff ? Base::i64
                                                      : Base::i32;
    return Expression{.value = integer_datum(static_cast<std::int64_t>(value), base)};
  }

  static constexpr int kDeepest = 200;
  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Expression> parse_expression(std::string_view text) { return Parser(text).run(); }

void each_name(const Expression& expression, const std::function<void(const Expression&)>& see) {
  if (expression.kind == Kind::name || expression.kind == Kind::variable) see(expression);
  for (std::size_t i = 0; i < expression.parts.size(); ++i) {
    const Expression& part = expression.parts[i];
    // What is called is a function: v(3), mem.f32(…).
    const Expression* called = &part;
    while (called->kind == Kind::member) called = &called->parts.front();
    if (expression.kind == Kind::call && i == 0 && called->kind == Kind::name) continue;
    each_name(part, see);
  }
}

}  // namespace rpl::debug
