// SPDX-License-Identifier: MIT
#include "shell/lua/error_hints.h"

#include <fmt/format.h>

#include <array>

namespace rpl {
namespace {

struct Hint {
  std::string_view first, second;  ///< both stand in the message
  std::string_view hint;
};

/// The first that fits counts: the particular stand before the general.
constexpr std::array kHints{
    Hint{"index a nil value", "'trace'",
         "no trace is open: rpl.open(path), or rpl.use(path), which says so by itself"},
    Hint{"index a nil value", "'capture'",
         "no capture is open: rpl.open(folder), or 'capture run' makes one"},
    Hint{"index a nil value", "'att'", "no thread trace is open: rpl.open(folder)"},
    Hint{"index a nil value", "'kernel'",
         "rpl.kernel is nil while none is selected: 'select ID', or take one of rpl.trace.kernels"},
    Hint{"index a nil value", "'dispatch'",
         "rpl.dispatch is nil while none is selected: 'select ID', or take one of "
         "rpl.trace.dispatches"},
    Hint{"index a nil value", "'?'",
         "the list has no element of that number; #list says how many there are"},
    Hint{"index a nil value", "'integer index'",
         "the list has no element of that number; #list says how many there are"},
    Hint{"index a nil value", "",
         "nil is what was never set, or was not found; 'set trace-back on' shows how it came to "
         "this line"},
    Hint{"arithmetic on a nil value", "",
         "a column without value is nil: test it, or assume '(x or 0)'"},
    Hint{"compare", "nil", "a column without value is nil: test it before, or compare '(x or 0)'"},
    Hint{"concatenate a nil value", "",
         "a column without value is nil: 'tostring(x)' makes text of anything"},
    Hint{"call a nil value", "",
         "there is no function of that name; 'print' the table to see what it has"},
    Hint{"arithmetic on a rpl.", "",
         "an object is not a number: name the field, as in d.duration_ns"},
    Hint{"concatenate a rpl.", "", "'tostring(x)' makes text of an object"},
    Hint{"compare rpl.", "", "compare fields, as in a.duration_ns < b.duration_ns"},
    Hint{"compare two rpl.", "", "compare fields, as in a.duration_ns < b.duration_ns"},
    Hint{"for iterator", "",
         "collections are walked with ipairs(x), or with x:each(\"column\", …) for many rows"},
    Hint{"expected, got no value)", "(rpl.", "methods are called with a colon: object:method()"},
    Hint{"stack overflow", "", "does a function call itself without end?"},
};

/// "<name> expected near 'until'": a command whose name is a word of Lua.
std::string about_keyword(std::string_view message) {
  constexpr std::string_view kExpected = "<name> expected near '";
  const std::size_t at = message.find(kExpected);
  if (at == std::string_view::npos) return {};
  const std::string_view word = message.substr(
      at + kExpected.size(), message.find('\'', at + kExpected.size()) - at - kExpected.size());
  if (word.empty() ||
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos)
    return {};
  return fmt::format(
      "'{}' is a word of Lua; as the name of a command it has an underscore behind it: rpl.cmd.{}_",
      word, word);
}

}  // namespace

std::string hint_for_lua_error(std::string_view message) {
  for (const Hint& one : kHints) {
    if (message.find(one.first) != std::string_view::npos &&
        message.find(one.second) != std::string_view::npos)
      return std::string(one.hint);
  }
  return about_keyword(message);
}

}  // namespace rpl
