// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace rpl {

/// "scale(float*, int)" of "_Z5scalePfi" (Itanium C++ ABI); a name that is not mangled comes back as it is.
std::string demangled(const std::string& name);

/// A kernel name, mangled or not, as people say it: without return type, argument list and namespaces, template arguments kept. Display only.
std::string short_kernel(std::string_view name);

/// The lines of a text, without their ends.
std::vector<std::string> split_lines(std::string_view text);

/// Words on lines of at most `width` columns, each behind `indent` blanks and with its end; a word too long for that has a line of its own.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

/// Text for people with its lines broken between words where they are longer than `width` columns. What goes on stands below the last part of the line
/// that is set off by two blanks in the left half, else two columns in. Lines of a diff stay whole.
std::string broken_between_words(std::string_view text, std::size_t width);

/// At most `width` columns, the middle replaced by "..", so that head and tail stay readable.
std::string elide_middle(std::string_view text, std::size_t width);

/// How many terminal columns a UTF-8 string takes; broken bytes count one each.
std::size_t display_width(std::string_view text);

/// Bytes of the well-formed UTF-8 sequence at `at` (Unicode table 3-7: no overlong forms, no surrogates); 0 when there is none.
std::size_t utf8_length(std::string_view text, std::size_t at = 0);

/// Whether all of it is well-formed.
bool is_utf8(std::string_view text);

/// `text` with U+FFFD for each byte that begins no well-formed sequence.
std::string with_utf8_only(std::string_view text);

/// Whether it begins with one of these.
inline bool starts_with_one_of(std::string_view text,
                               std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings,
                             [&](std::string_view one) { return text.starts_with(one); });
}

}  // namespace rpl
