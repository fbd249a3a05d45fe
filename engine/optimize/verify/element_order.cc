// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/element_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "engine/replay/elements.h"

namespace rpl {
namespace {

struct Part {
  double number = 0;
  std::string_view bytes;
  friend bool operator<(const Part& a, const Part& b) {
    return a.number != b.number ? a.number < b.number : a.bytes < b.bytes;
  }
};

}  // namespace

std::vector<std::byte> sorted_elements(Element element, std::span<const std::byte> bytes) {
  const std::size_t size = size_of(element);
  std::vector<Part> parts;
  parts.reserve(bytes.size() / size);
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    Part part{.bytes = {reinterpret_cast<const char*>(bytes.data()) + at, size}};
    if (is_float(element)) part.number = element_number(element, &bytes[at]);
    if (std::isnan(part.number)) part.number = std::numeric_limits<double>::infinity();
    parts.push_back(part);
  }
  std::ranges::sort(parts, std::less<>());
  std::vector<std::byte> out;
  out.reserve(bytes.size());
  for (const Part& part : parts) {
    const auto* first = reinterpret_cast<const std::byte*>(part.bytes.data());
    out.insert(out.end(), first, first + part.bytes.size());
  }
  out.resize(bytes.size());
  return out;
}

bool same_in_some_order(Element element, std::span<const std::byte> one,
                        std::span<const std::byte> other) {
  return sorted_elements(element, one) == sorted_elements(element, other);
}

bool same_pairs(const ElementPairs& one, const ElementPairs& other) {
  const auto sorted = [](const ElementPairs& pairs) {
    const std::size_t first = size_of(pairs.first_element), second = size_of(pairs.second_element);
    std::vector<std::string> out;
    for (std::size_t i = 0; (i + 1) * first <= pairs.first.size(); ++i) {
      const auto* a = reinterpret_cast<const char*>(pairs.first.data());
      const auto* b = reinterpret_cast<const char*>(pairs.second.data());
      out.emplace_back(a + i * first, first).append(b + i * second, second);
    }
    std::ranges::sort(out);
    return out;
  };
  return sorted(one) == sorted(other);
}

}  // namespace rpl
