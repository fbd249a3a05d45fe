// SPDX-License-Identifier: MIT
// forward-search, reverse-search: a regular expression in the file that `list` shows.
#include <fmt/format.h>

#include "engine/document/bound.h"
#include "engine/pattern/pattern.h"
#include "shell/commands/debug/debugging.h"
#include "shell/core/command/define.h"
#include "shell/core/session/debug_state.h"

namespace rpl {
namespace {

struct SearchArgs {
  std::string pattern;
};

struct FoundLine {
  std::string file;
  std::uint32_t line = 0;
  std::string text;
};
constexpr auto kFoundFields =
    bound_to<FoundLine>(column<&FoundLine::file>("file", "as the code object names it"),
                        column<&FoundLine::line>("line", "its number").in(Unit::none),
                        column<&FoundLine::text>("text", "of the line"));

/// The file that was listed last, or where a kernel is stopped.
Result<std::string> searched_file(const Debugger& debugger) {
  const Debugging& all = debugging(debugger);
  if (!all.listed_file.empty()) return all.listed_file;
  if (const debug::Session* session = stopped(debugger.state)) {
    const auto& program = session->program();
    const auto chain = session->lines().chain(program.ops[program.entry].address);
    if (!chain.empty()) return chain.back().file;
  }
  return fail(Errc::not_found, "no source file was listed",
              "'list' shows one, of a kernel that is stopped or a code object that is open");
}

Result<Document> search(const SearchArgs& args, const Debugger& debugger, bool forward) {
  const Pattern wanted = TRY(Pattern::of(args.pattern));
  const std::string file = TRY(searched_file(debugger));
  Debugging& all = debugging(debugger);
  const auto& lines = source_lines_of(all, file, all.path);
  if (lines.empty())
    return fail(Errc::not_found, fmt::format("{} cannot be found", file),
                "put it into the current folder, or beside the code object");
  std::uint32_t from = forward ? all.listed : all.listed_first;
  if (all.listed == 0) {
    const auto place = selected_place(debugger);
    from = place && place->file == file ? place->line : 0;
  }
  const auto count = static_cast<std::uint32_t>(lines.size());
  // Code that no line was written for: from the end that is looked from.
  if (!forward && from == 0) from = count + 1;
  for (std::uint32_t line = forward ? from + 1 : from - 1; line >= 1 && line <= count;
       line = forward ? line + 1 : line - 1) {
    if (!wanted.in(lines[line - 1])) continue;
    // As in GDB: `list` goes on around it.
    all.listed_first = all.listed = line;
    all.listed_file = file;
    Document out;
    out.put(kFoundFields, FoundLine{file, line, lines[line - 1]});
    out.text = fmt::format("{:<6}{}\n", line, lines[line - 1]);
    return out;
  }
  return fail(Errc::not_found,
              fmt::format("'{}' is not {} line {} of {}", args.pattern,
                          forward ? "behind" : "in front of", from, file),
              forward ? "'reverse-search' looks in front of it, 'list 1' begins at the first line"
                      : "'search' looks behind it");
}

Result<Document> search_forward(const SearchArgs& args, Debugger debugger) {
  return search(args, debugger, true);
}
Result<Document> search_back(const SearchArgs& args, Debugger debugger) {
  return search(args, debugger, false);
}

}  // namespace

void add_debug_search_commands(Registry& registry) {
  const auto searching = [&](Label path, Label summary, std::vector<Label> aliases, auto handler) {
    Command command_of = showing_stopped(
        path, summary,
        "A regular expression in the file that `list` showed last, from the lines that it showed; "
        "`list` then goes on at the line that was found.",
        described(kFoundFields), {}, "line", std::move(aliases));
    command_of.examples = {fmt::format("{} float", path)};
    add(registry, command(std::move(command_of),
                          {arg("pattern", &SearchArgs::pattern, "a regular expression")
                               .required()
                               .takes_phrase()},
                          handler));
  };
  searching("search", "Find a text in the source, further on.", {"forward-search", "fo"},
            search_forward);
  searching("reverse-search", "Find a text in the source, further up.", {"rev"}, search_back);
}

}  // namespace rpl
