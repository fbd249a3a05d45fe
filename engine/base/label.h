// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace rpl {

/// A short text that lives as long as the program: a literal, or a text of a user's script, of which one copy is kept for good.
/// Copying it copies a pointer, and a table of them is data that no code has to build: the definitions of commands and columns,
/// some thousand literals, were a fifth of the program's code when each was a std::string.
class Label : public std::string_view {
 public:
  constexpr Label() = default;
  /// A literal: anything else does not compile.
  consteval Label(const char* literal) : std::string_view(literal) {}
  /// Keeps a copy, one for equal texts. Thread-safe.
  Label(const std::string& text) : std::string_view(kept(text)) {}
  explicit Label(std::string_view text) : std::string_view(kept(text)) {}

  operator std::string() const;

 private:
  static std::string_view kept(std::string_view text);
};

std::string operator+(const std::string& left, Label right);
std::string operator+(Label left, const std::string& right);
std::string operator+(const char* left, Label right);
std::string operator+(Label left, const char* right);

}  // namespace rpl

/// fmt 9 formats what converts to a std::string_view; later versions want to be told.
template <>
struct fmt::formatter<rpl::Label> : fmt::formatter<fmt::string_view> {
  auto format(rpl::Label label, fmt::format_context& context) const {
    return fmt::formatter<fmt::string_view>::format({label.data(), label.size()}, context);
  }
};
