// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "engine/base/encoded.h"
#include "engine/base/result.h"
#include "engine/document/value.h"

/// The only writer of JSON. It is not the library that reads it, because bytes are promised: what stands between keys and values, the digits of
/// numbers and which characters are escaped is what scripts compare, and digests of evidence, cassettes and captures are made of.
namespace rpl {

namespace medium {
struct Json {
  static Encoded<Json> encode(std::string_view text);  ///< json_string()
};
}  // namespace medium
using JsonText = Encoded<medium::Json>;

enum class JsonStyle {
  spaced,    ///< {"a": [1, 2], "b": 3}
  compact,   ///< {"a":[1,2],"b":3}: AMD's and Chrome's files, and files of one event a line
  indented,  ///< a line for each member of each record; lists of anything on one line
};

/// Appends `value` as JSON (RFC 8259), keys in the order of the Record. A number that JSON cannot say
/// (NaN, infinity) is null; floating point has the shortest digits that read back as the same number, and always a
/// fraction or exponent, so that its type survives.
void append_json(JsonText& out, const Value& value, JsonStyle style = JsonStyle::spaced);
void append_json(std::string& out, const Value& value, JsonStyle style = JsonStyle::spaced);

/// A quoted string. Bytes that are not UTF-8 become U+FFFD, so that the document is always valid.
JsonText json_string(std::string_view text);

JsonText json_text(const Value& value, JsonStyle style = JsonStyle::spaced);
std::string to_json(const Value& value, JsonStyle style = JsonStyle::spaced);

/// What is JSON already because this program wrote it or parse_json() took it: nothing looks at it again. A test lists who says this.
JsonText json_already(std::string_view json);

/// A failure as an `rpl.error/1` document, and the same as JSON with a final newline.
Value error_value(const Error& error);
JsonText error_json(const Error& error);

/// What stands around the parts of a document that is written row by row.
struct JsonLayout {
  JsonStyle style = JsonStyle::spaced;
  OwnText open, between, row, rows_end, close;
};
/// Members and rows on lines of their own: documents for people.
inline constexpr JsonLayout kJsonDocument{JsonStyle::spaced, "{\n  ", ",\n  ",
                                          "\n    ",          "\n  ]", "\n}\n"};
/// One line, without its end.
inline constexpr JsonLayout kJsonLine{JsonStyle::spaced, "{", ", ", "", "]", "}"};
inline constexpr JsonLayout kJsonCompact{JsonStyle::compact, "{", ",", "", "]", "}"};

/// A JSON object written member by member, one of them possibly a list written row by row, so that ten million rows never exist at once.
class JsonStream {
 public:
  /// The text is kept for text() and line().
  explicit JsonStream(const JsonLayout& layout);
  /// The text goes to `sink` in pieces of at least 64 KiB, which end where a row ends.
  JsonStream(const JsonLayout& layout, SinkOf<JsonText> sink) : JsonStream(layout) {
    sink_ = std::move(sink);
  }

  JsonStream& member(std::string_view key, const Value& value);
  JsonStream& members(const Record& record);
  /// A value that is written already: an id or a document that is passed on.
  JsonStream& member_text(std::string_view key, const JsonText& json);

  /// A list whose elements follow until end_rows().
  JsonStream& begin_rows(std::string_view key);
  JsonStream& row(const Value& value);
  /// `append` adds the element to the text that it is called with.
  template <class F>
  JsonStream& row_by(const F& append) {
    begin_row();
    append(text_);
    return end_row();
  }
  JsonStream& end_rows();

  /// What the sink failed with; it is not called again.
  [[nodiscard]] const Status& status() const { return status_; }
  /// Ends the object and gives the sink the rest.
  Status finish();
  /// Ends the object; without a sink.
  JsonText text();
  JsonText line() { return text() + "\n"; }

 private:
  void key(std::string_view name);
  void begin_row();
  JsonStream& end_row();
  void flush();

  JsonLayout layout_;
  JsonText text_;
  SinkOf<JsonText> sink_;
  Status status_;
  bool any_member_ = false, any_row_ = false;
};

/// What a document may cost whoever reads it.
struct JsonLimits {
  std::size_t depth = 256;                     ///< containers around a value
  std::size_t bytes = std::size_t{256} << 20;  ///< of the text
  std::size_t values = std::size_t{8} << 20;   ///< scalars and containers
};

/// Reads one JSON document (RFC 8259) as a Value: objects keep the order of their keys, also of keys that appear twice (Value::find takes the first);
/// integers of 64 bits stay integers, larger ones are doubles; bytes that are not UTF-8 become U+FFFD, as the writer has them. Fails with corrupt,
/// naming line and column except for what is nested too deeply and for numbers too small for a double, and with limit. Recordings of gigabytes have a reader of their own in engine/trace/import/json.
Result<Value> parse_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace rpl
