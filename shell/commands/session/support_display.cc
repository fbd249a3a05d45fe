// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/document/bound.h"
#include "shell/commands/debug/debugging.h"
#include "shell/core/command/define.h"
#include "shell/core/session/displays.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

constexpr auto kShownColumns = bound_to<DisplayRow>(
    kDisplayNumber, column<&DisplayRow::enabled>("enabled", "whether it is shown"), kDisplayed);

struct DisplayArgs {
  std::string expression, format;
};

Result<Document> display(const DisplayArgs& args, Displays& displays, Debugger debugger) {
  debugging(debugger);
  if (args.expression.empty()) return displays.evaluate(debugger.state, debugger.scripts);
  auto first = displayed(debugger, args.expression, args.format);
  // One that cannot be read is no display; one whose names are not there yet is.
  if (!first && first.error().code == Errc::usage) return first;
  return displays.evaluate(debugger.state, debugger.scripts,
                           displays.add({args.expression, args.format}));
}

struct DisplayNumbersArgs {
  std::vector<std::int64_t> numbers;
};

Result<Document> undisplay(const DisplayNumbersArgs& args, Displays& displays, Face& face) {
  if (args.numbers.empty()) {
    if (!displays.all().empty() && !face.confirm("Delete all displays?", true)) return Document{};
    TRY(displays.remove(0));
  }
  for (const std::int64_t number : args.numbers) TRY(displays.remove(number));
  return Document{};
}

template <bool enabled>
Result<Document> enable_displays(const DisplayNumbersArgs& args, Displays& displays) {
  if (args.numbers.empty()) TRY(displays.enable(0, enabled));
  for (const std::int64_t number : args.numbers) TRY(displays.enable(number, enabled));
  return Document{};
}

Result<Document> info_display(const Displays& displays) {
  std::vector<DisplayRow> rows;
  for (const auto& [number, one] : displays.all())
    rows.push_back({number, with_format(one), one.enabled});
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
                      "An expression as `print` takes it, with a format of GDB behind a slash: "
                      "`display/x $exec`; with a count, a size or the letter i what `x` shows: "
                      "`display/3i $pc`. It is shown again after each stop and each command that "
                      "opens, closes or selects something. Alone it shows all displays.",
                  .columns = described(kDisplayColumns),
                  .scalar = "value",
                  .examples = {"display 6 * 7"},
                  .suffix_option = "format",
                  .suffix_letters = "xduotacfszibhwg",
                  .raw = true,
                  .raw_text = RawText::expression};
  add(registry,
      command<DisplayArgs>(std::move(showing),
                           {rest("expression", &DisplayArgs::expression, "an expression")
                                .completes(Complete::variable),
                            option("format", &DisplayArgs::format,
                                   "as of print or x; on a line behind a slash: display/x")},
                           display));

  const auto add_numbers = [&](Label path, Label summary, std::vector<Label> aliases,
                               auto handler) {
    Command definition{.path = path,
                       .does = kKeeps,
                       .chapter = Class::data,
                       .summary = summary,
                       .help = "By their numbers, which `info display` tells; alone all.",
                       .aliases = std::move(aliases),
                       .examples = {path},
                       .keeps_place = true,
                       .changes_program = true};
    add(registry,
        command<DisplayNumbersArgs>(std::move(definition),
                                    {arg("number", &DisplayNumbersArgs::numbers, "of the displays")
                                         .completes(Complete::display)},
                                    handler));
  };
  add_numbers("undisplay", "Stop showing expressions.", {"delete display"}, undisplay);
  add_numbers("disable display", "Keep expressions, but do not show them.", {},
              enable_displays<false>);
  add_numbers("enable display", "Show expressions again after each stop.", {},
              enable_displays<true>);

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
