// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text that somebody else wrote (names of kernels, agents and files, markers), as each medium takes it: one function for each. Text is kept as it was
/// recorded until it is written. What no reader sees or what moves others (control characters, C1, bidirectional and zero-width characters, bytes that
/// are no UTF-8) becomes a visible escape: \x1b, \u202e.
namespace rpl {

/// Whether a code point is one of those; line feed and tab are, too.
bool is_invisible(char32_t code);

/// Whether all of it is printable ASCII, which terminal_text() and terminal_line() leave as it is: spares a copy of most cells.
bool is_plain(std::string_view text);

/// The code point of the well-formed UTF-8 sequence that `text` begins with, as utf8_length() found it.
char32_t code_point(std::string_view text, std::size_t length);

/// For terminals and logs: line feeds and tabs stay.
std::string terminal_text(std::string_view text);

/// The same for what must stay on one line: \n and \t for line feeds and tabs.
std::string terminal_line(std::string_view text);

/// The same on lines of which all but the first begin with `indent` blanks, so that none looks like a line of ours.
std::string terminal_block(std::string_view text, std::size_t indent);

/// A text cell of a CSV file, in quotes where it must be. What a spreadsheet would take for a formula (= + - @, a tab or CR first, and not a number) gets an
/// apostrophe. Line feeds stay, in quotes.
std::string csv_text(std::string_view text);
/// The same without apostrophe and escapes, for programs: quotes alone.
std::string csv_quoted(std::string_view text);

/// Text in Markdown, also in a cell of a table: no markup, no HTML, one line.
std::string markdown_text(std::string_view text);

/// A string of the DOT language, with its quotes, on one line.
std::string dot_string(std::string_view text);

}  // namespace rpl
