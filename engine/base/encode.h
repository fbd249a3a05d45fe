// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/encoded.h"

/// Text that somebody else wrote (names of kernels, agents and files, markers), as each medium takes it. Text is kept as it was recorded until it is
/// written. What no reader sees or what moves others (control characters, C1, bidirectional and zero-width characters, bytes that are no UTF-8) becomes a
/// visible escape: \x1b, \u202e; in XML, which has no escapes for them, U+FFFD.
namespace rpl {

/// The media (that of JSON is in engine/document/json.h); encode() is what Encoded::add() does to a text.
namespace medium {
struct Terminal {
  static Encoded<Terminal> encode(std::string_view text);  ///< terminal_line()
};
struct Csv {
  static Encoded<Csv> encode(std::string_view text);  ///< csv_text()
};
struct Markdown {
  static Encoded<Markdown> encode(std::string_view text);  ///< markdown_text()
};
struct Xml {
  static Encoded<Xml> encode(std::string_view text);  ///< xml_text()
};
struct Dot {
  static Encoded<Dot> encode(std::string_view text);  ///< dot_string()
};
}  // namespace medium

using TerminalText = Encoded<medium::Terminal>;  ///< also pipes, logs, prompt, progress
using CsvText = Encoded<medium::Csv>;
using MarkdownText = Encoded<medium::Markdown>;
using XmlText = Encoded<medium::Xml>;  ///< HTML and SVG
using DotText = Encoded<medium::Dot>;

/// Whether a code point is one of those; line feed and tab are, too.
bool is_invisible(char32_t code);

/// The code point of the well-formed UTF-8 sequence that `text` begins with, as utf8_length() found it.
char32_t code_point(std::string_view text, std::size_t length);

/// For terminals and logs: line feeds and tabs stay.
TerminalText terminal_text(std::string_view text);

/// The same for what must stay on one line: \n and \t for line feeds and tabs.
TerminalText terminal_line(std::string_view text);
TerminalText terminal_line(std::string&& text);
inline TerminalText terminal_line(const char* text) {
  return terminal_line(std::string_view(text));
}

/// The same on lines of which all but the first begin with `indent` blanks, so that none looks like a line of ours.
TerminalText terminal_block(std::string_view text, std::size_t indent);

/// elide_middle(), broken_between_words() and display_width() (text.h) of what is encoded already, and blanks up to `width` columns behind it, or before it.
TerminalText elide_middle(const TerminalText& text, std::size_t width);
TerminalText broken_between_words(const TerminalText& text, std::size_t width);
TerminalText first_bytes(const TerminalText& text, std::size_t most);  ///< whole characters
std::size_t display_width(const TerminalText& text);
TerminalText padded(const TerminalText& text, std::size_t width, bool before = false);

/// A text cell of a CSV file, in quotes where it must be. What a spreadsheet would take for a formula (= + - @, a tab or CR first, and not a number) gets an
/// apostrophe. Line feeds stay, in quotes.
CsvText csv_text(std::string_view text);
void append_csv_text(CsvText& out, std::string_view text);
/// The same without apostrophe and escapes, for programs: quotes alone.
CsvText csv_quoted(std::string_view text);
void append_csv_quoted(CsvText& out, std::string_view text);

/// Text in Markdown, also in a cell of a table: no markup, no HTML, one line.
MarkdownText markdown_text(std::string_view text);
/// Code within a line, between backticks that the text does not hold.
MarkdownText markdown_span(std::string_view code);
/// A block of code: the text line by line, between fences that no line of it ends.
MarkdownText markdown_code(std::string_view language, std::string_view text);

/// Text in XML and HTML, also in an attribute between quotes.
XmlText xml_text(std::string_view text);

/// A string of the DOT language, with its quotes, on one line; `below` is a second line of a label.
DotText dot_string(std::string_view text, std::string_view below = {});
/// A name of DOT without quotes, of our own making: letters, digits and underscores; others become underscores.
DotText dot_name(std::string_view name);

}  // namespace rpl
