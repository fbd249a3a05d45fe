// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

enum class JsonType {
  integer,  ///< a whole number from -2^63 to 2^64 - 1; what is above 2^63 - 1 wraps to negative, as in SQLite
  count,   ///< 0 … 2^32 - 1
  number,  ///< any number
  text,    ///< a string
  handle,  ///< a whole number, or a string that parse_handle() understands
  raw,     ///< whatever stands there, as JSON text
};

/// One wanted value of a record, as dotted keys: "dispatch_info.kernel_id".
struct JsonField {
  std::string path;
  JsonType type = JsonType::integer;
  bool required = false;
};

struct JsonCell {
  bool present = false;      ///< false for an absent key and for null
  std::int64_t integer = 0;  ///< integer, count and handle
  double number = 0;
  std::string_view text;  ///< text and raw; valid until the body returns
};

/// Reads the same fields out of many JSON objects with simdjson's on-demand parser; everything else in
/// them is skipped, in whatever order it comes.
class JsonRows {
 public:
  using Body = std::function<Status(std::span<const JsonCell>)>;

  /// `where` is the path of the array for messages ("rocprofiler-sdk-tool[0].agents").
  JsonRows(std::string where, std::vector<JsonField> fields);
  ~JsonRows();
  JsonRows(JsonRows&&) noexcept;
  JsonRows& operator=(JsonRows&&) noexcept;

  /// `elements` is what stands between the brackets of an array. Calls `body` with one cell per field for each object.
  /// A wrong type, a missing required field or malformed JSON is a `corrupt` error that names the path:
  /// "rocprofiler-sdk-tool[0].agents[3].id.handle: expected a whole number". Bytes that are not UTF-8 become '?'.
  Status read(std::string_view elements, const Body& body);
  /// The same for an array with its brackets, as a `raw` cell holds it; "" is an empty one.
  Status read_array(std::string_view array, const Body& body);
  /// Elements read so far, which is the index of the next one in messages.
  [[nodiscard]] std::uint64_t index() const;
  /// Whether any bytes that are not UTF-8 were replaced.
  [[nodiscard]] bool repaired() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rpl
