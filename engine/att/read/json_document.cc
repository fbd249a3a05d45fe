// SPDX-License-Identifier: MIT
#include "engine/att/read/json_document.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <bit>
#include <cmath>

#include "engine/trace/bytes/byte_source.h"

namespace rpl::att {

using simdjson::dom::element;

static_assert(sizeof(element) == 16 && std::is_trivially_copyable_v<element>,
              "a node keeps simdjson's element as bytes");

/// Between nodes and what they stand for.
struct JsonAccess {
  static element of(const JsonNode& node) { return std::bit_cast<element>(node.element_); }
  static JsonNode node(element from) {
    JsonNode made;
    made.element_ = std::bit_cast<std::array<std::byte, 16>>(from);
    return made;
  }
};

struct JsonDocument::Parts {
  simdjson::padded_string text;
  simdjson::dom::parser parser;
};

namespace {

std::optional<std::int64_t> whole(element value) {
  std::int64_t integer = 0;
  if (value.get_int64().get(integer) == simdjson::SUCCESS) return integer;
  double number = 0;
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (!value.is_double() || value.get_double().get(number) != simdjson::SUCCESS)
    return std::nullopt;
  if (std::floor(number) != number || std::abs(number) > kExact) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

Result<JsonNode> tree_of(simdjson::dom::parser& parser, const char* text, std::size_t size,
                         std::string_view name) {
  if (size == 0) return fail(Errc::corrupt, fmt::format("{}: the file is empty", name));
  element root;
  const auto error = parser.parse(text, size, false).get(root);
  if (error) {
    return fail(Errc::corrupt, fmt::format("{}: not a complete JSON document ({})", name,
                                           simdjson::error_message(error)));
  }
  return JsonAccess::node(root);
}

}  // namespace

JsonDocument::JsonDocument() : parts_(std::make_unique<Parts>()) {}
JsonDocument::~JsonDocument() = default;

Result<JsonNode> JsonDocument::read(const std::string& path, std::uint64_t most_bytes) {
  const ByteSource source = TRY(ByteSource::open(path));
  if (source.size() > most_bytes) {
    return fail(Errc::limit, fmt::format("{}: {} bytes are more than rpl reads of such a file",
                                         path, source.size()));
  }
  auto& [text, parser] = *parts_;
  text = simdjson::padded_string(static_cast<std::size_t>(source.size()));
  if (text.size() < source.size()) return fail(Errc::limit, path + ": no memory to read it");
  const std::size_t got = TRY(source.read_at(0, {text.data(), text.size()}));
  return tree_of(parser, text.data(), got, path);
}

Result<JsonNode> JsonDocument::parse(std::string_view json, std::string_view name) {
  auto& [text, parser] = *parts_;
  text = simdjson::padded_string(json);
  return tree_of(parser, text.data(), text.size(), name);
}

bool JsonNode::is_null() const { return JsonAccess::of(*this).is_null(); }
bool JsonNode::is_list() const { return JsonAccess::of(*this).is_array(); }
bool JsonNode::is_object() const { return JsonAccess::of(*this).is_object(); }

std::optional<std::int64_t> JsonNode::integer() const { return whole(JsonAccess::of(*this)); }

std::optional<std::uint64_t> JsonNode::count(std::uint64_t most) const {
  std::uint64_t value = 0;
  if (JsonAccess::of(*this).get_uint64().get(value) != simdjson::SUCCESS) {
    const auto number = integer();
    if (!number || *number < 0) return std::nullopt;
    value = static_cast<std::uint64_t>(*number);
  }
  if (value > most) return std::nullopt;
  return value;
}

std::optional<std::string_view> JsonNode::text() const {
  std::string_view text;
  if (JsonAccess::of(*this).get_string().get(text) != simdjson::SUCCESS) return std::nullopt;
  return text;
}

std::optional<bool> JsonNode::boolean() const {
  bool value = false;
  if (JsonAccess::of(*this).get_bool().get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

std::vector<JsonNode> JsonNode::elements() const {
  std::vector<JsonNode> out;
  simdjson::dom::array list;
  if (JsonAccess::of(*this).get_array().get(list) != simdjson::SUCCESS) return out;
  for (const element item : list) out.push_back(JsonAccess::node(item));
  return out;
}

std::optional<std::vector<std::int64_t>> JsonNode::integers() const {
  simdjson::dom::array list;
  if (JsonAccess::of(*this).get_array().get(list) != simdjson::SUCCESS) return std::nullopt;
  std::vector<std::int64_t> out;
  for (const element item : list) {
    const auto number = whole(item);
    if (!number) return std::nullopt;
    out.push_back(*number);
  }
  return out;
}

static_assert(sizeof(simdjson::dom::array::iterator) == 16 &&
                  std::is_trivially_copyable_v<simdjson::dom::array::iterator>,
              "a cursor keeps simdjson's iterators as bytes");

JsonNode::Cursor::Cursor(const JsonNode& list) {
  simdjson::dom::array items;
  if (JsonAccess::of(list).get_array().get(items) != simdjson::SUCCESS) return;
  at_ = std::bit_cast<std::array<std::byte, 16>>(items.begin());
  end_ = std::bit_cast<std::array<std::byte, 16>>(items.end());
  empty_ = false;
}

bool JsonNode::Cursor::next(JsonNode& out) {
  if (empty_) return false;
  auto at = std::bit_cast<simdjson::dom::array::iterator>(at_);
  if (!(at != std::bit_cast<simdjson::dom::array::iterator>(end_))) return false;
  out = JsonAccess::node(*at);
  ++at;
  at_ = std::bit_cast<std::array<std::byte, 16>>(at);
  return true;
}

std::size_t JsonNode::integers(std::span<std::int64_t> into) const {
  simdjson::dom::array list;
  if (JsonAccess::of(*this).get_array().get(list) != simdjson::SUCCESS) return 0;
  std::size_t at = 0;
  for (const element item : list) {
    if (at == into.size()) break;
    const auto number = whole(item);
    if (!number) break;
    into[at++] = *number;
  }
  return at;
}

std::vector<std::pair<std::string_view, JsonNode>> JsonNode::members() const {
  std::vector<std::pair<std::string_view, JsonNode>> out;
  simdjson::dom::object object;
  if (JsonAccess::of(*this).get_object().get(object) != simdjson::SUCCESS) return out;
  for (const auto& [key, value] : object) out.emplace_back(key, JsonAccess::node(value));
  return out;
}

std::optional<JsonNode> JsonNode::member(std::string_view key) const {
  simdjson::dom::object object;
  element found;
  if (JsonAccess::of(*this).get_object().get(object) != simdjson::SUCCESS) return std::nullopt;
  if (object.at_key(key).get(found) != simdjson::SUCCESS || found.is_null()) return std::nullopt;
  return JsonAccess::node(found);
}

std::optional<JsonNode> JsonNode::list(std::string_view key) const {
  const auto found = member(key);
  return found && found->is_list() ? found : std::nullopt;
}

}  // namespace rpl::att
