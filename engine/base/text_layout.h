// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/short_kernel.h"

namespace rpl {

/// Words on lines of at most `width` columns, each behind `indent` blanks and with its end; a word too long for that has a line of its own.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

/// Text for people with its lines broken between words where they are longer than `width` columns. What goes on stands below the last part of the line
/// that is set off by two blanks in the left half, else two columns in. Lines of a diff stay whole.
std::string broken_between_words(std::string_view text, std::size_t width);

/// At most `width` columns, the middle replaced by "..", so that head and tail stay readable.
std::string elide_middle(std::string_view text, std::size_t width);

/// How many terminal columns a UTF-8 string takes; broken bytes count one each.
std::size_t display_width(std::string_view text);

}  // namespace rpl
