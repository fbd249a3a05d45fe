// SPDX-License-Identifier: MIT
#include "engine/store/bounded.h"

#include <sqlite3.h>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/files.h"

namespace rpl {
namespace {

constexpr int kLongestValue = 16 << 20;
constexpr int kLongestPattern = 256;
constexpr int kMostHeapShare = 4;

bool is_blob(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_BLOB; }

std::string_view bytes_of(sqlite3_value* value) {
  const void* data = is_blob(value) ? sqlite3_value_blob(value)
                                    : static_cast<const void*>(sqlite3_value_text(value));
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

/// memmem() of the C library takes time in proportion to both lengths together; SQLite's own search to their product.
std::optional<std::size_t> place_of(std::string_view in, std::string_view what, std::size_t from) {
  if (what.empty()) return from;
  const void* at = ::memmem(in.data() + from, in.size() - from, what.data(), what.size());
  if (at == nullptr) return std::nullopt;
  return static_cast<std::size_t>(static_cast<const char*>(at) - in.data());
}

/// Characters of UTF-8 before a place.
std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

/// The place of Y in X, from 1; 0: nowhere. In characters, of two blobs in bytes.
void instr(sqlite3_context* context, int, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) == SQLITE_NULL || sqlite3_value_type(values[1]) == SQLITE_NULL)
    return;
  const bool blobs = is_blob(values[0]) && is_blob(values[1]);
  const std::string_view in = bytes_of(values[0]);
  const auto place = place_of(in, bytes_of(values[1]), 0);
  const std::size_t before = !place ? 0 : blobs ? *place : characters(in.substr(0, *place));
  sqlite3_result_int64(context, place ? static_cast<sqlite3_int64>(before) + 1 : 0);
}

/// X with Z in the place of each Y.
void replace(sqlite3_context* context, int, sqlite3_value** values) {
  for (int i = 0; i < 3; ++i) {
    if (sqlite3_value_type(values[i]) == SQLITE_NULL) return;
  }
  const auto text = [&](int i) {
    const auto* data = reinterpret_cast<const char*>(sqlite3_value_text(values[i]));
    return std::string_view(data == nullptr ? "" : data,
                            static_cast<std::size_t>(sqlite3_value_bytes(values[i])));
  };
  const std::string_view in = text(0), what = text(1), with = text(2);
  if (what.empty()) return sqlite3_result_value(context, values[0]);
  std::string out;
  std::size_t from = 0;
  while (const auto place = place_of(in, what, from)) {
    out += in.substr(from, *place - from);
    out += with;
    from = *place + what.size();
    if (out.size() > kLongestValue) return sqlite3_result_error_toobig(context);
  }
  out += in.substr(from);
  sqlite3_result_text64(context, out.data(), out.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

}  // namespace

void bound_queries(sqlite3* connection) {
  static const sqlite3_int64 most = static_cast<sqlite3_int64>(
      physical_memory_bytes() / static_cast<std::uint64_t>(kMostHeapShare));
  sqlite3_hard_heap_limit64(most);
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kLongestPattern);
  constexpr int kPlain = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  sqlite3_create_function_v2(connection, "instr", 2, kPlain, nullptr, instr, nullptr, nullptr,
                             nullptr);
  sqlite3_create_function_v2(connection, "replace", 3, kPlain, nullptr, replace, nullptr, nullptr,
                             nullptr);
}

}  // namespace rpl
