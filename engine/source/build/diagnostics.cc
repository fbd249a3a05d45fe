// SPDX-License-Identifier: MIT
#include "engine/source/build/diagnostics.h"

#include <array>
#include <optional>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

constexpr std::array<std::string_view, 4> kSeverities{"fatal error", "error", "warning", "note"};

/// Takes ":NUMBER" off the end of `place`.
std::int64_t take_last_number(std::string_view& place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) return 0;
  const auto number = whole_number<std::int64_t>(place.substr(colon + 1));
  if (!number) return 0;
  place = place.substr(0, colon);
  return *number;
}

/// GNU ld says what is missing without the word error: "a.o: in function `f': a.cc:(.text+0x5): undefined reference to `g'".
std::optional<Diagnostic> read_linker_line(std::string_view line) {
  const std::size_t at = line.find("undefined reference to");
  if (at == std::string_view::npos) return std::nullopt;
  return Diagnostic{.severity = "error", .message = std::string(line.substr(at)), .file = ""};
}

std::optional<Diagnostic> read_line(std::string_view line) {
  for (const std::string_view severity : kSeverities) {
    const std::string mark = ": " + std::string(severity) + ": ";
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos) continue;
    Diagnostic out;
    out.severity = severity;
    out.message = line.substr(at + mark.size());
    std::string_view place = line.substr(0, at);
    const std::int64_t last = take_last_number(place);
    const std::int64_t first = take_last_number(place);
    out.line = first > 0 ? first : last;
    out.column = first > 0 ? last : 0;
    out.file = place;
    return out;
  }
  return read_linker_line(line);
}

}  // namespace

std::vector<Diagnostic> read_diagnostics(std::string_view text) {
  std::vector<Diagnostic> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (auto found = read_line(text.substr(0, end))) out.push_back(std::move(*found));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace rpl
