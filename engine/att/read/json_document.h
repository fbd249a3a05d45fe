// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"

/// Whole JSON files as trees, for the small files of a trace. simdjson parses; it shows in one source only, because it takes seconds to compile.
namespace rpl::att {

/// A value in a parsed document, valid as long as that holds it. Asking a value for what it is not gives nothing.
class JsonNode {
 public:
  [[nodiscard]] bool is_null() const;
  [[nodiscard]] bool is_list() const;
  [[nodiscard]] bool is_object() const;
  /// A whole number, also when it is written with a fraction of zero or an exponent ("1e3").
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  /// A whole number from 0 to `most`.
  [[nodiscard]] std::optional<std::uint64_t> count(std::uint64_t most) const;
  [[nodiscard]] std::optional<std::string_view> text() const;
  [[nodiscard]] std::optional<bool> boolean() const;

  [[nodiscard]] std::vector<JsonNode> elements() const;
  /// The first elements of a list, as many as `into` takes; returns how many there were before one that is not a whole number.
  std::size_t integers(std::span<std::int64_t> into) const;
  /// All elements of a list of whole numbers; nothing when one is something else.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers() const;
  /// Calls visit(element) for each element of a list.
  template <class Visit>
  void each(Visit&& visit) const {
    Cursor cursor(*this);
    JsonNode at;
    while (cursor.next(at)) visit(at);
  }
  /// In the order of the file.
  [[nodiscard]] std::vector<std::pair<std::string_view, JsonNode>> members() const;
  /// The member of an object; nothing for null.
  [[nodiscard]] std::optional<JsonNode> member(std::string_view key) const;
  /// The same when it is a list.
  [[nodiscard]] std::optional<JsonNode> list(std::string_view key) const;

 private:
  /// Walks over a list without making a copy of it.
  class Cursor {
   public:
    explicit Cursor(const JsonNode& list);
    bool next(JsonNode& out);

   private:
    alignas(8) std::array<std::byte, 16> at_{}, end_{};
    bool empty_ = true;
  };

  friend class JsonDocument;
  friend struct JsonAccess;
  alignas(8) std::array<std::byte, 16> element_{};
};

/// Reads and parses; one tree at a time.
class JsonDocument {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;

  JsonDocument();
  ~JsonDocument();
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  /// Fails with not_found, io, limit or corrupt; an empty file is corrupt.
  Result<JsonNode> read(const std::string& path, std::uint64_t most_bytes = kMostBytes);
  /// The same for a text in memory.
  Result<JsonNode> parse(std::string_view json, std::string_view name);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace rpl::att
