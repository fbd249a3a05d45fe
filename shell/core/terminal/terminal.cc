// SPDX-License-Identifier: MIT
#include "shell/core/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

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

}  // namespace rpl
