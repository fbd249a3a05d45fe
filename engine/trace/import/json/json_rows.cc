// SPDX-License-Identifier: MIT
#include "engine/trace/import/json/json_rows.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "engine/base/numbers.h"

namespace rpl {

/// The wanted keys of one nesting level; a key leads either to a field or to a deeper level.
struct JsonLevel {
  struct Key {
    std::string name;
    std::optional<std::size_t> field;
    std::size_t child = 0;  ///< index into the levels, when it is not a field
  };
  std::vector<Key> keys;
};

namespace {

using simdjson::ondemand::object;
using simdjson::ondemand::value;

std::size_t child_of(std::vector<JsonLevel>& levels, std::size_t level, std::string_view name) {
  for (const JsonLevel::Key& key : levels[level].keys) {
    if (key.name == name && !key.field) return key.child;
  }
  levels[level].keys.push_back({std::string(name), std::nullopt, levels.size()});
  levels.emplace_back();
  return levels.size() - 1;
}

std::vector<JsonLevel> compile(const std::vector<JsonField>& fields) {
  std::vector<JsonLevel> levels(1);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::string_view path = fields[i].path;
    std::size_t level = 0;
    for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
      level = child_of(levels, level, path.substr(0, dot));
      path.remove_prefix(dot + 1);
    }
    levels[level].keys.push_back({std::string(path), i, 0});
  }
  return levels;
}

std::string_view wanted(JsonType type) {
  switch (type) {
    case JsonType::integer:
      return "a whole number";
    case JsonType::count:
      return "a whole number from 0 to 4294967295";
    case JsonType::number:
      return "a number";
    case JsonType::text:
      return "a string";
    case JsonType::handle:
      return "a whole number or a hexadecimal string";
    case JsonType::raw:
      break;
  }
  return "a value";
}

bool read_integer(value& from, JsonCell& cell) {
  if (from.get_int64().get(cell.integer) == simdjson::SUCCESS) return true;
  std::uint64_t large = 0;
  if (from.get_uint64().get(large) != simdjson::SUCCESS) return false;
  cell.integer = static_cast<std::int64_t>(large);
  return true;
}

bool read_handle(value& from, JsonCell& cell) {
  simdjson::ondemand::json_type type{};
  if (from.type().get(type) != simdjson::SUCCESS) return false;
  if (type != simdjson::ondemand::json_type::string) return read_integer(from, cell);
  std::string_view text;
  if (from.get_string().get(text) != simdjson::SUCCESS) return false;
  const auto parsed = parse_handle(text);
  cell.integer = static_cast<std::int64_t>(parsed.value_or(0));
  return parsed.has_value();
}

bool read_raw(value& from, JsonCell& cell) {
  simdjson::ondemand::json_type type{};
  if (from.type().get(type) != simdjson::SUCCESS) return false;
  if (type == simdjson::ondemand::json_type::array) {
    simdjson::ondemand::array array;
    return from.get_array().get(array) == simdjson::SUCCESS &&
           array.raw_json().get(cell.text) == simdjson::SUCCESS;
  }
  if (type == simdjson::ondemand::json_type::object) {
    object inner;
    return from.get_object().get(inner) == simdjson::SUCCESS &&
           inner.raw_json().get(cell.text) == simdjson::SUCCESS;
  }
  cell.text = from.raw_json_token();
  return true;
}

bool read_cell(value& from, JsonType type, JsonCell& cell) {
  switch (type) {
    case JsonType::integer:
      return read_integer(from, cell);
    case JsonType::count:
      return read_integer(from, cell) && cell.integer >= 0 &&
             cell.integer <= std::numeric_limits<std::uint32_t>::max();
    case JsonType::number:
      return from.get_double().get(cell.number) == simdjson::SUCCESS;
    case JsonType::text:
      return from.get_string().get(cell.text) == simdjson::SUCCESS;
    case JsonType::handle:
      return read_handle(from, cell);
    case JsonType::raw:
      return read_raw(from, cell);
  }
  return false;
}

std::string joined(std::string_view prefix, std::string_view key) {
  return prefix.empty() ? std::string(key) : fmt::format("{}.{}", prefix, key);
}

/// Length of the UTF-8 sequence at `at`, 0 when there is none.
std::size_t sequence_length(const std::string& text, std::size_t at) {
  for (std::size_t length = 1; length <= 4 && at + length <= text.size(); ++length) {
    if (simdjson::validate_utf8(text.data() + at, length)) return length;
  }
  return 0;
}

void replace_invalid(std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) text[at] = '?';
    at += std::max<std::size_t>(length, 1);
  }
}

}  // namespace

struct JsonRows::State {
  std::string where;
  std::vector<JsonField> fields;
  std::vector<JsonLevel> levels;
  simdjson::ondemand::parser parser;
  std::string text;
  std::vector<JsonCell> cells;
  std::uint64_t index = 0;
  bool repaired = false;

  Failure wrong(std::string_view path, std::string_view message) const {
    return fail(Errc::corrupt,
                fmt::format("{}[{}]{}{}: {}", where, index, path.empty() ? "" : ".", path, message),
                "the recording is damaged or of an unknown version");
  }

  Status read_object(object& from, std::size_t level, std::string_view prefix) {
    for (auto member : from) {
      simdjson::ondemand::raw_json_string name;
      value held;
      if (member.key().get(name) != simdjson::SUCCESS ||
          member.value().get(held) != simdjson::SUCCESS) {
        return wrong(prefix, "malformed JSON");
      }
      for (const JsonLevel::Key& key : levels[level].keys) {
        if (!name.unsafe_is_equal(key.name)) continue;
        TRY(key.field ? read_field(held, *key.field) : descend(held, key, prefix));
        break;
      }
    }
    return {};
  }

  Status descend(value& held, const JsonLevel::Key& key, std::string_view prefix) {
    const std::string path = joined(prefix, key.name);
    if (is_null(held)) return {};
    object inner;
    if (held.get_object().get(inner) != simdjson::SUCCESS) return wrong(path, "expected an object");
    return read_object(inner, key.child, path);
  }

  Status read_field(value& held, std::size_t index_of_field) {
    JsonCell& cell = cells[index_of_field];
    const JsonField& field = fields[index_of_field];
    if (is_null(held)) return {};
    if (!read_cell(held, field.type, cell)) {
      return wrong(field.path, fmt::format("expected {}", wanted(field.type)));
    }
    cell.present = true;
    return {};
  }

  static bool is_null(value& held) {
    simdjson::ondemand::json_type type{};
    return held.type().get(type) == simdjson::SUCCESS &&
           type == simdjson::ondemand::json_type::null;
  }

  Status read_element(simdjson::simdjson_result<value> element, const Body& body) {
    std::fill(cells.begin(), cells.end(), JsonCell{});
    object record;
    if (element.get_object().get(record) != simdjson::SUCCESS) {
      return wrong("", "expected an object");
    }
    TRY(read_object(record, 0, ""));
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].required && !cells[i].present) return wrong(fields[i].path, "is missing");
    }
    TRY(body(cells));
    ++index;
    return {};
  }
};

JsonRows::JsonRows(std::string where, std::vector<JsonField> fields)
    : state_(std::make_unique<State>()) {
  state_->where = std::move(where);
  state_->fields = std::move(fields);
  state_->levels = compile(state_->fields);
  state_->cells.resize(state_->fields.size());
}

JsonRows::~JsonRows() = default;
JsonRows::JsonRows(JsonRows&&) noexcept = default;
JsonRows& JsonRows::operator=(JsonRows&&) noexcept = default;

std::uint64_t JsonRows::index() const { return state_->index; }
bool JsonRows::repaired() const { return state_->repaired; }

Status JsonRows::read_array(std::string_view array, const Body& body) {
  const std::size_t open = array.find('[');
  const std::size_t close = array.rfind(']');
  if (array.empty()) return {};
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return state_->wrong("", "expected an array");
  }
  return read(array.substr(open + 1, close - open - 1), body);
}

Status JsonRows::read(std::string_view elements, const Body& body) {
  std::string& text = state_->text;
  text.reserve(elements.size() + 2 + simdjson::SIMDJSON_PADDING);
  text.assign("[").append(elements).append("]");
  if (!simdjson::validate_utf8(text)) {
    replace_invalid(text);
    state_->repaired = true;
  }
  simdjson::ondemand::document document;
  const simdjson::padded_string_view padded(text.data(), text.size(), text.capacity());
  simdjson::ondemand::array array;
  if (state_->parser.iterate(padded).get(document) != simdjson::SUCCESS ||
      document.get_array().get(array) != simdjson::SUCCESS) {
    return state_->wrong("", "malformed JSON");
  }
  for (auto element : array) {
    if (element.error() != simdjson::SUCCESS) return state_->wrong("", "malformed JSON");
    TRY(state_->read_element(element, body));
  }
  return {};
}

}  // namespace rpl
