// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/document/bound.h"
#include "shell/core/command/define.h"
#include "shell/core/session/displays.h"

namespace rpl {
namespace {

constexpr auto kShownColumns = bound_to<DisplayRow>(kDisplayNumber, kDisplayed);

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
  std::vector<DisplayRow> rows;
  for (const auto& [number, expression] : displays.all()) rows.push_back({number, expression});
  Document document;
  document.table(kShownColumns, rows);
  return document;
}

}  // namespace

void add_display_commands(Registry& registry) {
  Command showing{.path = "display",
                  .does = kKeeps,
                  .chapter = Class::data,
                  .summary = "Show an expression now and whenever what is looked at changes.",
                  .help =
                      "The expression is Lua, with `$NAME` for convenience variables. It is shown "
                      "again at the prompt after each command that opens, closes or selects "
                      "something. Alone it shows all displays.",
                  .columns = described(kDisplayColumns),
                  .scalar = "value",
                  .examples = {"display 6 * 7"},
                  .raw = true,
                  .raw_text = RawText::expression};
  add(registry, command<DisplayArgs>(
                    std::move(showing),
                    {rest("expression", &DisplayArgs::expression, "a Lua expression")}, display));

  Command removing{.path = "undisplay",
                   .does = kKeeps,
                   .chapter = Class::data,
                   .summary = "Stop showing an expression.",
                   .help = "By its number, which `info display` tells; alone it removes all.",
                   .examples = {"undisplay"},
                   .changes_program = true};
  add(registry, command<DisplayNumberArgs>(
                    std::move(removing),
                    {arg("number", &DisplayNumberArgs::number, "of the display")}, undisplay));

  Command listing{.path = "info display",
                  .does = kReads,
                  .chapter = Class::status,
                  .summary = "List the expressions that are shown again and again.",
                  .help = "`display EXPRESSION` adds one, `undisplay N` removes one.",
                  .columns = described(kShownColumns),
                  .examples = {"info display"}};
  add(registry, command(std::move(listing), info_display));
}

}  // namespace rpl
