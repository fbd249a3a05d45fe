// SPDX-License-Identifier: MIT
#include "engine/document/held_bytes.h"

namespace rpl {
namespace {

/// Short texts stand inside of their std::string.
std::size_t bytes_behind(const std::string& text) {
  static const std::size_t inside = std::string().capacity();
  return text.capacity() > inside ? text.capacity() + 1 : 0;
}

}  // namespace

std::size_t held_bytes(const Value& value) {
  std::size_t bytes = sizeof(Value);
  if (const auto* text = value.as<std::string>()) {
    bytes += bytes_behind(*text);
  } else if (const auto* list = value.as<List>()) {
    for (const Value& one : *list) bytes += held_bytes(one);
  } else if (const auto* record = value.as<Record>()) {
    for (const auto& [name, one] : *record)
      bytes += sizeof(std::string) + bytes_behind(name) + held_bytes(one);
  }
  return bytes;
}

std::size_t held_bytes(const Document& document) {
  std::size_t bytes =
      sizeof(Document) + (document.fields.size() + document.columns.size()) * sizeof(Column);
  for (const auto& [name, value] : document.record)
    bytes += sizeof(std::string) + bytes_behind(name) + held_bytes(value);
  for (const Row& row : document.rows) {
    bytes += sizeof(Row);
    for (const Value& cell : row) bytes += held_bytes(cell);
  }
  for (const auto* texts : {&document.notes, &document.next}) {
    for (const std::string& text : *texts) bytes += sizeof(std::string) + bytes_behind(text);
  }
  return bytes + bytes_behind(document.text) + bytes_behind(document.heading);
}

}  // namespace rpl
