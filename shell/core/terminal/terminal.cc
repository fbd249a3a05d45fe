// SPDX-License-Identifier: MIT
#include "shell/core/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text.h"

namespace rpl {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string_view::npos ||
           value.find("utf8") != std::string_view::npos;
  }
  return false;
}

bool wants_color(bool tty) {
  if (!environment("NO_COLOR").empty()) return false;
  const std::string_view force = environment("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  return tty && environment("TERM") != "dumb" && !environment("TERM").empty();
}

}  // namespace

Terminal Terminal::of(int descriptor) {
  Terminal terminal;
  terminal.interactive = isatty(descriptor) == 1;
  terminal.elide = terminal.interactive;
  terminal.color = wants_color(terminal.interactive);
  terminal.unicode = utf8_locale() && environment("TERM") != "dumb";
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.width = size.ws_col;
    terminal.height = size.ws_row > 0 ? size.ws_row : terminal.height;
  } else if (const int columns = std::atoi(std::string(environment("COLUMNS")).c_str());
             columns > 0) {
    terminal.width = static_cast<std::size_t>(columns);
  }
  return terminal;
}

namespace {

constexpr std::array<std::string_view, 9> kAcross{" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
constexpr std::array<std::string_view, 9> kUpwards{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 5> kPlain{" ", ".", "-", "=", "#"};

double clamped(double share) { return std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0; }

/// `share` as one of 0 … steps, where only zero is 0.
std::size_t step_of(double share, std::size_t steps) {
  const auto step =
      static_cast<std::size_t>(std::lround(clamped(share) * static_cast<double>(steps)));
  return share > 0 ? std::max<std::size_t>(step, 1) : step;
}

/// Byte offsets of the characters; what is not UTF-8 counts byte by byte.
std::vector<std::size_t> characters(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size();
       at += std::max<std::size_t>(utf8_length(text, at), 1)) {
    starts.push_back(at);
  }
  return starts;
}

}  // namespace

std::string bar(double share, std::size_t width, bool unicode) {
  const std::size_t parts = unicode ? 8 : 1;
  std::size_t filled = step_of(share, width * parts);
  std::string out;
  for (std::size_t cell = 0; cell < width; ++cell) {
    const std::size_t here = std::min(filled, parts);
    filled -= here;
    out += unicode ? kAcross[here] : (here == 0 ? std::string_view(" ") : std::string_view("#"));
  }
  return out;
}

std::string level(double share, bool unicode) {
  if (unicode) return std::string(kUpwards[step_of(share, 8)]);
  return std::string(kPlain[step_of(share, 4)]);
}

std::string fitted(const std::string& text, std::size_t width) {
  const auto starts = characters(text);
  if (starts.size() <= width) return text + std::string(width - starts.size(), ' ');
  if (width < 5) return text.substr(0, starts[width]);
  const std::size_t tail = (width - 2) / 3, head = width - 2 - tail;
  return text.substr(0, starts[head]) + ".." + text.substr(starts[starts.size() - tail]);
}

}  // namespace rpl
