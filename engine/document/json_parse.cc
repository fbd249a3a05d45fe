// SPDX-License-Identifier: MIT
#include "engine/document/json_parse.h"

#include <fmt/format.h>

#include <optional>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

constexpr int kDeepest = 256;

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | (code >> 6));
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | (code >> 12));
    byte(0x80 | ((code >> 6) & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | (code >> 18));
    byte(0x80 | ((code >> 12) & 0x3f));
    byte(0x80 | ((code >> 6) & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Value> document() {
    Value value = TRY(read(0));
    blanks();
    if (at_ != text_.size()) return error("something follows the document");
    return value;
  }

 private:
  Failure error(std::string_view what) const {
    std::size_t line = 1, column = 1;
    for (const char c : text_.substr(0, at_)) {
      column = c == '\n' ? 1 : column + 1;
      line += c == '\n' ? 1 : 0;
    }
    return fail(Errc::corrupt,
                fmt::format("bad JSON in line {}, column {}: {}", line, column, what));
  }

  void blanks() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
      ++at_;
    }
  }

  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  Result<Value> read(int depth) {
    if (depth > kDeepest) return error("nested too deeply");
    blanks();
    if (take("{")) return object(depth);
    if (take("[")) return list(depth);
    if (take("\"")) return Value(TRY(string()));
    if (take("true")) return Value(true);
    if (take("false")) return Value(false);
    if (take("null")) return Value();
    return number();
  }

  Result<Value> object(int depth) {
    Record record;
    blanks();
    if (take("}")) return Value(std::move(record));
    do {
      blanks();
      if (!take("\"")) return error("expected a key");
      std::string key = TRY(string());
      blanks();
      if (!take(":")) return error("expected ':'");
      record.emplace_back(std::move(key), TRY(read(depth + 1)));
      blanks();
    } while (take(","));
    if (!take("}")) return error("expected ',' or '}'");
    return Value(std::move(record));
  }

  Result<Value> list(int depth) {
    List items;
    blanks();
    if (take("]")) return Value(std::move(items));
    do {
      items.push_back(TRY(read(depth + 1)));
      blanks();
    } while (take(","));
    if (!take("]")) return error("expected ',' or ']'");
    return Value(std::move(items));
  }

  Result<std::string> string() {
    std::string out;
    while (at_ < text_.size() && text_[at_] != '"') {
      const char c = text_[at_];
      if (static_cast<unsigned char>(c) < 0x20) return error("a control character in a string");
      ++at_;
      if (c != '\\') {
        out += c;
      } else {
        TRY(escape(out));
      }
    }
    if (!take("\"")) return error("a string does not end");
    return out;
  }

  Status escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (at_ >= text_.size()) return error("a string does not end");
    const char c = text_[at_++];
    if (const std::size_t found = kNames.find(c); found != std::string_view::npos) {
      out += kMeanings[found];
      return {};
    }
    if (c != 'u') return error("an unknown escape");
    std::uint32_t code = TRY(hex4());
    if (code >= 0xd800 && code < 0xdc00 && take("\\u")) {
      const std::uint32_t low = TRY(hex4());
      if (low < 0xdc00 || low > 0xdfff) return error("half of a surrogate pair");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if (code >= 0xd800 && code <= 0xdfff) return error("half of a surrogate pair");
    append_utf8(out, code);
    return {};
  }

  Result<std::uint32_t> hex4() {
    const std::string_view digits = text_.substr(at_, 4);
    const auto code = whole_number<std::uint32_t>(digits, 16);
    if (digits.size() != 4 || !code) return error("\\u takes four hex digits");
    at_ += 4;
    return *code;
  }

  /// The token's shape is JSON's (no leading zero, no '+', a digit on both sides of the point); whole_number() takes more.
  std::optional<std::string_view> number_token() {
    std::size_t end = at_;
    const auto digits = [&] {
      const std::size_t start = end;
      while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
      return end - start;
    };
    const auto is = [&](std::string_view any) {
      return end < text_.size() && any.find(text_[end]) != std::string_view::npos;
    };
    if (is("-")) ++end;
    const bool zero = is("0");
    const std::size_t whole = digits();
    if (whole == 0 || (zero && whole > 1)) return std::nullopt;
    if (is(".") && (++end, digits() == 0)) return std::nullopt;
    if (is("eE")) {
      ++end;
      if (is("+-")) ++end;
      if (digits() == 0) return std::nullopt;
    }
    return text_.substr(at_, end - at_);
  }

  Result<Value> number() {
    const auto token = number_token();
    if (!token) return error("expected a value");
    const auto integer = whole_number<std::int64_t>(*token);
    const auto real = integer ? std::optional(0.0) : whole_number<double>(*token);
    if (!real) return error("a number out of range");
    at_ += token->size();
    return integer ? Value(*integer) : Value(*real);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<Value> parse_json(std::string_view text) { return Reader(text).document(); }

}  // namespace rpl
