// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "shell/core/command/define.h"
#include "shell/core/session/displays.h"

namespace rpl {
namespace {

std::vector<Column> display_columns() {
  return {{"number", Type::integer, Unit::none, "of the display"},
          {"expression", Type::string, Unit::none, "what is evaluated"},
          {"value", Type::any, Unit::none, "what it is now; unknown when it fails"}};
}

struct DisplayArgs {
  std::string expression;
};

Result<Document> display(const DisplayArgs& args, Displays& displays, ScriptHost& scripts) {
  if (args.expression.empty()) return displays.evaluate(scripts);
  return displays.evaluate(scripts, displays.add(args.expression));
}

struct DisplayNumberArgs {
  std::int64_t number = 0;
};

Result<Document> undisplay(const DisplayNumberArgs& args, Displays& displays) {
  TRY(displays.remove(args.number));
  return Document{};
}

Result<Document> info_display(const Displays& displays) {
  Document document;
  for (const auto& [number, expression] : displays.all()) {
    document.rows.push_back({Value(number), Value(expression)});
  }
  return document;
}

}  // namespace

void add_display_commands(Registry& registry) {
  Command showing;
  showing.path = "display";
  showing.chapter = Class::data;
  showing.summary = "Show an expression now and whenever what is looked at changes.";
  showing.help =
      "The expression is Lua, with `$NAME` for convenience variables. It is shown again at the "
      "prompt after each command that opens, closes or "
      "selects something. Alone it shows all displays.";
  showing.columns = display_columns();
  showing.scalar = "value";
  showing.raw = true;
  showing.raw_text = RawText::expression;
  showing.examples = {"display 6 * 7"};
  add(registry, command<DisplayArgs>(
                    std::move(showing),
                    {rest("expression", &DisplayArgs::expression, "a Lua expression")}, display));

  Command removing;
  removing.path = "undisplay";
  removing.chapter = Class::data;
  removing.summary = "Stop showing an expression.";
  removing.help = "By its number, which `info display` tells; alone it removes all.";
  removing.changes_program = true;
  removing.examples = {"undisplay"};
  add(registry, command<DisplayNumberArgs>(
                    std::move(removing),
                    {arg("number", &DisplayNumberArgs::number, "of the display")}, undisplay));

  Command listing;
  listing.path = "info display";
  listing.chapter = Class::status;
  listing.summary = "List the expressions that are shown again and again.";
  listing.help = "`display EXPRESSION` adds one, `undisplay N` removes one.";
  listing.columns = {{"number", Type::integer, Unit::none, "of the display"},
                     {"expression", Type::string, Unit::none, "what is evaluated"}};
  listing.examples = {"info display"};
  add(registry, command(std::move(listing), info_display));
}

}  // namespace rpl
