// SPDX-License-Identifier: MIT
#include "engine/base/label.h"

#include <mutex>
#include <unordered_set>

namespace rpl {

std::string_view Label::kept(std::string_view text) {
  // Never destroyed: labels in objects of static storage are read until the very end. The nodes of the set do not move.
  static auto& lock = *new std::mutex;
  static auto& texts = *new std::unordered_set<std::string>;
  const std::lock_guard hold(lock);
  return *texts.emplace(text).first;
}

Label::operator std::string() const { return std::string(data(), size()); }

std::string operator+(const std::string& left, Label right) { return left + std::string(right); }
std::string operator+(Label left, const std::string& right) { return std::string(left) + right; }
std::string operator+(const char* left, Label right) { return left + std::string(right); }
std::string operator+(Label left, const char* right) { return std::string(left) + right; }

}  // namespace rpl
