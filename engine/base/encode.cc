// SPDX-License-Identifier: MIT
#include "engine/base/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <iterator>

#include "engine/base/encoder.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"

namespace rpl {
namespace {

struct CodeRange {
  char32_t first, last;
};

// Unicode 15: Cc, and what of Cf, Zl and Zp shows nothing or changes the order of what stands around it.
constexpr CodeRange kInvisible[] = {{0x0000, 0x001F}, {0x007F, 0x009F},  {0x00AD, 0x00AD},
                                    {0x061C, 0x061C}, {0x180E, 0x180E},  {0x200B, 0x200F},
                                    {0x2028, 0x202E}, {0x2060, 0x206F},  {0xFEFF, 0xFEFF},
                                    {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};

enum class LineFeeds { keep, escape };

/// "\x1b": a backslash, `kind` and so many digits. By hand, as hostile names consist of little else.
void append_number(std::string& out, char kind, std::uint32_t number, int digits) {
  out += '\\';
  out += kind;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += "0123456789abcdef"[number >> shift & 0xF];
}

void append_escape(std::string& out, char32_t code) {
  const auto number = static_cast<std::uint32_t>(code);
  if (code == '\n') {
    out += "\\n";
  } else if (code == '\t') {
    out += "\\t";
  } else if (code < 0x80) {
    append_number(out, 'x', number, 2);
  } else if (code < 0x10000) {
    append_number(out, 'u', number, 4);
  } else {
    append_number(out, 'U', number, 8);
  }
}

/// The high bit of every byte that is not printable ASCII. Such a byte may mark those above it, too: whoever asks wants to know of any.
std::uint64_t not_printable(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = kOnes * 0x80;
  return (bytes | (bytes - kOnes * ' ') | (bytes + kOnes)) & kHigh;
}

/// Whether all of it is printable ASCII, eight bytes at once.
bool is_plain(std::string_view text) {
  while (text.size() >= sizeof(std::uint64_t)) {
    std::uint64_t bytes;
    std::memcpy(&bytes, text.data(), sizeof bytes);
    if (not_printable(bytes) != 0) return false;
    text.remove_prefix(sizeof bytes);
  }
  std::uint64_t rest = 0x6161616161616161;  // letters
  if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
  return not_printable(rest) == 0;
}

void append_visible(std::string& out, std::string_view text, LineFeeds feeds) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    while (at < text.size() && text[at] >= ' ' && text[at] <= '~') ++at;
    out += text.substr(from, at - from);
    if (at == text.size()) break;
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      append_number(out, 'x', static_cast<unsigned char>(text[at++]), 2);
      continue;
    }
    const std::string_view sequence = text.substr(at, length);
    at += length;
    const bool kept = feeds == LineFeeds::keep && (sequence == "\n" || sequence == "\t");
    const char32_t code = code_point(sequence, length);
    if (kept || !is_invisible(code)) {
      out += sequence;
    } else {
      append_escape(out, code);
    }
  }
}

std::string visible(std::string_view text, LineFeeds feeds) {
  std::string out;
  out.reserve(text.size() + text.size() / 4);
  append_visible(out, text, feeds);
  return out;
}

TerminalText for_terminal(std::string_view text, LineFeeds feeds) {
  return Encoder::made<TerminalText>(is_plain(text) ? std::string(text) : visible(text, feeds));
}

/// Appends the text with `before` in front of every one of `marked`.
void append_with_marks(std::string& out, std::string_view text, std::string_view marked,
                       char before) {
  for (const char c : text) {
    if (marked.find(c) != std::string_view::npos) out += before;
    out += c;
  }
}

std::string dot_quoted(std::string_view text) {
  std::string out;
  append_with_marks(out, terminal_line(text).bytes(), "\"\\", '\\');
  return out;
}

void append_in_quotes(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"')) {
    out.append(text.substr(0, at + 1)) += '"';
    text.remove_prefix(at + 1);
  }
  out.append(text) += '"';
}

/// Sixteen bytes at once, on every processor that compilers know.
using Block = unsigned char __attribute__((vector_size(16)));
using Halves = std::uint64_t __attribute__((vector_size(16)));

template <class Number>
Number loaded(const char* from) {
  Number out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

/// Of a text that is shorter: all of its bytes, some twice, in registers alone. Letters, which nobody marks, where there are none.
Block short_block(std::string_view text) {
  const char *first = text.data(), *end = first + text.size();
  std::uint64_t low = 0x6161616161616161, high = low;
  if (text.size() >= 8) {
    low = loaded<std::uint64_t>(first);
    high = loaded<std::uint64_t>(end - 8);
  } else if (text.size() >= 4) {
    low = std::uint64_t{loaded<std::uint32_t>(end - 4)} << 32 | loaded<std::uint32_t>(first);
  } else if (!text.empty()) {
    for (const std::size_t at : {std::size_t{0}, text.size() / 2, text.size() - 1})
      low = low << 8 | static_cast<unsigned char>(first[at]);
  }
  return reinterpret_cast<Block>(Halves{low, high});
}

bool any_of(const Block& marks) {
  const auto halves = reinterpret_cast<Halves>(marks);
  return (halves[0] | halves[1]) != 0;
}

/// What a text of a CSV file holds.
struct CsvMarks {
  Block odd{};     ///< other bytes than printable ASCII; not looked for in what is written as it is
  Block quotes{};  ///< quotes, which are doubled
  Block
      asks{};  ///< commas, line feeds and carriage returns: with quotes, what is quoted (RFC 4180)

  template <bool kOdd>
  void add(const Block& bytes) {
    constexpr unsigned char kFirst = ' ', kSpan = '~' - ' ';
    if constexpr (kOdd) odd |= reinterpret_cast<Block>(bytes - kFirst > kSpan);
    quotes |= equal(bytes, '"');
    asks |= equal(bytes, ',');
    // Otherwise they are odd.
    if constexpr (!kOdd) asks |= equal(bytes, '\n') | equal(bytes, '\r');
  }
  static Block equal(const Block& bytes, unsigned char c) {
    return reinterpret_cast<Block>(bytes == c);
  }
};

/// One look at the whole text, in blocks of which the last two may overlap. Most cells hold nothing odd: this is what encoding them costs.
template <class Look>
[[gnu::always_inline]] inline void each_block(std::string_view text, const Look& look) {
  if (text.size() < sizeof(Block)) return look(short_block(text));
  const char *at = text.data(), *const last = at + text.size() - sizeof(Block);
  for (; at < last; at += sizeof(Block)) look(loaded<Block>(at));
  look(loaded<Block>(last));
}

template <bool kOdd>
CsvMarks csv_marks(std::string_view text) {
  CsvMarks out;
  each_block(text, [&](const Block& bytes) { out.add<kOdd>(bytes); });
  return out;
}

void append_quoted(std::string& out, std::string_view text, const CsvMarks& marks) {
  if (!any_of(marks.quotes | marks.asks)) {
    out += text;
    return;
  }
  if (any_of(marks.quotes)) return append_in_quotes(out, text);
  out += '"';
  out.append(text) += '"';
}

/// What markdown_text() looks at twice.
constexpr std::array<bool, 256> kMarkup = [] {
  std::array<bool, 256> out{};
  for (const char c : std::string_view("&<|`*\\]_")) out[static_cast<unsigned char>(c)] = true;
  return out;
}();

/// Backticks, at least so many, that do not stand in the text.
std::string fence_around(std::string_view text, std::size_t least) {
  std::string fence(least, '`');
  while (text.find(fence) != std::string_view::npos) fence += '`';
  return fence;
}

/// Between letters an underscore is only that.
bool in_word(std::string_view line, std::size_t at) {
  const auto letter = [&](std::size_t i) {
    return i < line.size() && std::isalnum(static_cast<unsigned char>(line[i])) != 0;
  };
  return at > 0 && letter(at - 1) && letter(at + 1);
}

}  // namespace

TerminalText medium::Terminal::encode(std::string_view text) { return terminal_line(text); }
CsvText medium::Csv::encode(std::string_view text) { return csv_text(text); }
MarkdownText medium::Markdown::encode(std::string_view text) { return markdown_text(text); }
XmlText medium::Xml::encode(std::string_view text) { return xml_text(text); }
DotText medium::Dot::encode(std::string_view text) { return dot_string(text); }

bool is_invisible(char32_t code) {
  return std::ranges::any_of(kInvisible, [&](const CodeRange& range) {
    return code >= range.first && code <= range.last;
  });
}

char32_t code_point(std::string_view text, std::size_t length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (length <= 1) return byte(0);
  char32_t code = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3FU);
  return code;
}

TerminalText terminal_text(std::string_view text) { return for_terminal(text, LineFeeds::keep); }

TerminalText terminal_line(std::string_view text) { return for_terminal(text, LineFeeds::escape); }

TerminalText terminal_line(std::string&& text) {
  if (!is_plain(text)) text = visible(text, LineFeeds::escape);
  return Encoder::made<TerminalText>(std::move(text));
}

TerminalText terminal_block(std::string_view text, std::size_t indent) {
  if (is_plain(text)) return Encoder::made<TerminalText>(std::string(text));
  std::string out;
  for (const char c : visible(text, LineFeeds::keep)) {
    out += c;
    if (c == '\n') out.append(indent, ' ');
  }
  return Encoder::made<TerminalText>(std::move(out));
}

TerminalText elide_middle(const TerminalText& text, std::size_t width) {
  return Encoder::made<TerminalText>(elide_middle(text.bytes(), width));
}

TerminalText broken_between_words(const TerminalText& text, std::size_t width) {
  return Encoder::made<TerminalText>(broken_between_words(text.bytes(), width));
}

TerminalText first_bytes(const TerminalText& text, std::size_t most) {
  std::string_view bytes = text.bytes();
  std::size_t end = std::min(most, bytes.size());
  const auto goes_on = [&] { return (static_cast<unsigned char>(bytes[end]) & 0xC0U) == 0x80; };
  while (end > 0 && end < bytes.size() && goes_on()) --end;
  return Encoder::made<TerminalText>(std::string(bytes.substr(0, end)));
}

std::size_t display_width(const TerminalText& text) { return display_width(text.bytes()); }

TerminalText padded(const TerminalText& text, std::size_t width, bool before) {
  const std::size_t used = display_width(text);
  std::string out(text.bytes());
  out.insert(before ? 0 : out.size(), width > used ? width - used : 0, ' ');
  return Encoder::made<TerminalText>(std::move(out));
}

CsvText csv_quoted(std::string_view text) {
  CsvText out;
  append_csv_quoted(out, text);
  return out;
}

void append_csv_quoted(CsvText& out, std::string_view text) {
  append_quoted(Encoder::bytes(out), text, csv_marks<false>(text));
}

CsvText csv_text(std::string_view text) {
  CsvText out;
  append_csv_text(out, text);
  return out;
}

void append_csv_text(CsvText& out, std::string_view text) {
  const char first = text.empty() ? 'a' : text[0];
  const bool may_be_formula = first == '=' || first == '+' || first == '-' || first == '@' ||
                              first == '\t' || first == '\r';
  const bool formula = may_be_formula && !whole_number<double>(text);
  std::string& bytes = Encoder::bytes(out);
  const CsvMarks marks = csv_marks<true>(text);
  if (!formula && !any_of(marks.odd)) return append_quoted(bytes, text, marks);
  // An escape asks for no quotes, so that a text without them is written where it stays.
  const CsvMarks all = csv_marks<false>(text);
  if (!any_of(all.quotes | all.asks)) {
    if (formula) bytes += '\'';
    return append_visible(bytes, text, LineFeeds::keep);
  }
  const std::string shown = (formula ? "'" : "") + visible(text, LineFeeds::keep);
  append_quoted(bytes, shown, csv_marks<false>(shown));
}

MarkdownText markdown_text(std::string_view text) {
  const TerminalText encoded = terminal_line(text);
  const std::string_view line = encoded.bytes();
  std::string out;
  out.reserve(line.size() + line.size() / 8);
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (!kMarkup[static_cast<unsigned char>(c)]) {
      out += c;
      continue;
    }
    if (c == '&' || c == '<') {
      out += c == '&' ? "&amp;" : "&lt;";
      continue;
    }
    const bool link = c == ']' && line.substr(at).starts_with("](");
    const bool marks = std::string_view("|`*\\").find(c) != std::string_view::npos;
    if (marks || link || (c == '_' && !in_word(line, at))) out += '\\';
    out += c;
  }
  return Encoder::made<MarkdownText>(std::move(out));
}

MarkdownText markdown_span(std::string_view code) {
  const TerminalText shown = terminal_line(code);
  const std::string fence = fence_around(shown.bytes(), 1);
  const std::string_view gap = fence.size() > 1 ? " " : "";
  return Encoder::made<MarkdownText>(fmt::format("{0}{1}{2}{1}{0}", fence, gap, shown.bytes()));
}

MarkdownText markdown_code(std::string_view language, std::string_view text) {
  const TerminalText shown = terminal_text(text);
  const std::string fence = fence_around(shown.bytes(), 3);
  const bool ends = shown.empty() || shown.bytes().ends_with('\n');
  return Encoder::made<MarkdownText>(
      fmt::format("{}{}\n{}{}{}\n", fence, language, shown.bytes(), ends ? "" : "\n", fence));
}

XmlText xml_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text[0];
    if (length == 0 || (c != '\n' && c != '\t' && is_invisible(code_point(text, length)))) {
      out += "\xef\xbf\xbd";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return Encoder::made<XmlText>(std::move(out));
}

DotText dot_string(std::string_view text, std::string_view below) {
  std::string out = '"' + dot_quoted(text);
  // DOT reads backslash n in a label as a line's end.
  if (!below.empty()) out += "\\n" + dot_quoted(below);
  return Encoder::made<DotText>(out + '"');
}

DotText dot_name(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return Encoder::made<DotText>(std::move(out));
}

}  // namespace rpl
