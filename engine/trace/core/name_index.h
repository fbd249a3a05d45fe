// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rpl {

/// Lets a map of std::string be searched with a std::string_view, without a copy.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

template <class T>
using TextMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

/// Numbers for names, in the order of their first use; `names` is the table that grows.
class NameIndex {
 public:
  explicit NameIndex(std::vector<std::string>& names) : names_(names) {
    for (std::uint32_t i = 0; i < names.size(); ++i) index_.emplace(names[i], i);
  }

  std::uint32_t operator()(std::string_view name) {
    if (const auto found = index_.find(name); found != index_.end()) return found->second;
    const auto number = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(name);
    index_.emplace(name, number);
    return number;
  }

 private:
  std::vector<std::string>& names_;
  TextMap<std::uint32_t> index_;
};

}  // namespace rpl
