// SPDX-License-Identifier: MIT
#include "engine/document/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/base/numbers.h"
#include "engine/base/text.h"

namespace rpl {
namespace {

/// What nlohmann's message says, and what is said here; the first that is found counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kReasons{{
    {"; expected end of input", "something follows the document"},
    {"control character", "a control character in a string"},
    {"missing closing quote", "a string does not end"},
    {"4 hex digits", "\\u takes four hex digits"},
    {"surrogate", "half of a surrogate pair"},
    {"after backslash", "an unknown escape"},
    {"number overflow", "a number out of range"},
    {"parsing object key", "expected a key"},
    {"parsing object separator", "expected ':'"},
    {"parsing object -", "expected ',' or '}'"},
    {"parsing array -", "expected ',' or ']'"},
}};

/// Puts what nlohmann's parser meets into a Value.
class ValueBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  ValueBuilder(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  bool null() override { return add(Value()); }
  bool boolean(bool value) override { return add(Value(value)); }
  bool number_integer(number_integer_t value) override { return add(Value(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    const bool fits = value <= std::uint64_t{INT64_MAX};
    return add(fits ? Value(static_cast<std::int64_t>(value)) : Value(static_cast<double>(value)));
  }
  bool number_float(number_float_t, const string_t& digits) override {
    const auto value = whole_number<double>(digits);
    return value ? add(Value(*value)) : refuse(Errc::corrupt, "bad JSON: a number out of range");
  }
  bool string(string_t& value) override { return add(Value(std::move(value))); }
  bool binary(binary_t&) override { return false; }  // not of JSON's text
  bool start_object(std::size_t) override { return open(Value(Record())); }
  bool start_array(std::size_t) override { return open(Value(List())); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    open_.back().as<Record>()->emplace_back(std::move(name), Value());
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& why) override {
    const std::string_view what = why.what();
    const auto reason = std::ranges::find_if(kReasons, [&](const auto& known) {
      return what.find(known.first) != std::string_view::npos;
    });
    return refuse_at(position == 0 ? 0 : position - 1,
                     reason == kReasons.end() ? "expected a value" : reason->second);
  }

  /// The document, after the parser `accepted` it or not.
  Result<Value> finish(bool accepted) {
    // The parser passes over a byte order mark, and takes a 0 byte for the end.
    if (accepted && text_.starts_with("\uFEFF")) refuse_at(0, "expected a value");
    if (accepted && text_.find('\0') != std::string_view::npos)
      refuse_at(text_.find('\0'), "something follows the document");
    if (!accepted || refusal_.code != Errc::internal) return Failure(std::move(refusal_));
    return std::move(root_);
  }

 private:
  bool refuse(Errc code, std::string message) {
    refusal_ = Error(code, std::move(message));
    return false;
  }

  bool refuse_at(std::size_t at, std::string_view reason) {
    // The parser stops within a word or number that cannot be; people look for where it begins.
    constexpr std::string_view kOfWord =
        "+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (reason.starts_with("expected") && at > 0)
      at = text_.find_last_not_of(kOfWord, at - 1) + 1;  // npos + 1 is 0
    const std::string_view before = text_.substr(0, at);
    const std::size_t line_start = before.rfind('\n') + 1;
    return refuse(Errc::corrupt, fmt::format("bad JSON in line {}, column {}: {}",
                                             std::ranges::count(before, '\n') + 1,
                                             before.size() - line_start + 1, reason));
  }

  bool allowed() {
    if (open_.size() > limits_.depth) return refuse(Errc::corrupt, "bad JSON: nested too deeply");
    if (++values_ <= limits_.values) return true;
    return refuse(Errc::limit,
                  fmt::format("the JSON document has more than {} values", limits_.values));
  }

  bool add(Value value) {
    if (!allowed()) return false;
    put(std::move(value));
    return true;
  }

  void put(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Record* record = open_.back().as<Record>()) {
      record->back().second = std::move(value);
    } else {
      open_.back().as<List>()->push_back(std::move(value));
    }
  }

  bool open(Value container) {
    if (!allowed()) return false;
    open_.push_back(std::move(container));
    return true;
  }

  bool close() {
    Value whole = std::move(open_.back());
    open_.pop_back();
    put(std::move(whole));
    return true;
  }

  std::string_view text_;
  const JsonLimits& limits_;
  std::vector<Value> open_;  ///< the containers around what is read
  std::size_t values_ = 0;
  Value root_;
  Error refusal_;
};

}  // namespace

Result<Value> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes)
    return fail(Errc::limit, fmt::format("the JSON document has {} bytes; {} at most are read",
                                         text.size(), limits.bytes));
  const std::string fixed = is_utf8(text) ? std::string() : with_utf8_only(text);
  if (!fixed.empty()) text = fixed;
  ValueBuilder builder(text, limits);
  return builder.finish(nlohmann::json::sax_parse(text.begin(), text.end(), &builder));
}

}  // namespace rpl
