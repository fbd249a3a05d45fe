// SPDX-License-Identifier: MIT
#include "engine/base/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace rpl {
namespace {

struct ElementRow {
  std::string_view name;
  std::size_t bytes;
  bool is_float, is_signed;
};

constexpr ElementRow kElements[] = {
    {"i8", 1, false, true},   {"u8", 1, false, false},  {"i16", 2, false, true},
    {"u16", 2, false, false}, {"i32", 4, false, true},  {"u32", 4, false, false},
    {"i64", 8, false, true},  {"u64", 8, false, false}, {"f16", 2, true, true},
    {"bf16", 2, true, true},  {"f32", 4, true, true},   {"f64", 8, true, true}};

const ElementRow& row_of(Element element) { return kElements[static_cast<std::size_t>(element)]; }

}  // namespace

bool from_text(std::string_view name, Element& element) {
  const auto found = std::ranges::find(kElements, name, &ElementRow::name);
  if (found == std::end(kElements)) return false;
  element = static_cast<Element>(found - std::begin(kElements));
  return true;
}

Result<Element> parse_element(std::string_view name) {
  Element out{};
  if (from_text(name, out)) return out;
  return fail(Errc::usage, fmt::format("no element type '{}'", name),
              "use i8 to u64, f16, bf16, f32 or f64");
}

std::string_view to_string(Element element) { return row_of(element).name; }
std::size_t size_of(Element element) { return row_of(element).bytes; }
bool is_float(Element element) { return row_of(element).is_float; }
bool is_signed(Element element) { return row_of(element).is_signed; }

}  // namespace rpl
