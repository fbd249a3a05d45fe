// SPDX-License-Identifier: MIT
// What the core's tools run that measure, record and propose.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "shell/server/tools/arguments.h"
#include "shell/server/tools/core.h"

namespace rpl {
namespace {

constexpr std::int64_t kCompared = 10;

std::vector<ToolPart> alone(ToolPart part) {
  std::vector<ToolPart> out;
  out.push_back(std::move(part));
  return out;
}

std::vector<std::string> texts_of_column(const ToolPart& part, std::string_view column) {
  std::vector<std::string> out;
  if (!part.document) return out;
  const Document& document = **part.document;
  static_cast<void>(document.each_row([&](const Row& row) {
    for (std::size_t i = 0; i < document.columns.size(); ++i) {
      const auto* text = row[i].as<std::string>();
      if (document.columns[i].name == column && text != nullptr) out.push_back(*text);
    }
    return true;
  }));
  return out;
}

/// What an optimization can begin with here, as the next step of an error.
Failure nothing_to_begin_with(ToolHost& host, const Record& given) {
  const std::string kernel = text_argument(given, "kernel");
  const std::vector<std::string> captures = texts_of_column(host.run("capture list", {}), "path");
  const std::vector<std::string> sources = host.sources_of(kernel);
  std::string hint = fmt::format(
      R"(propose {{"action": "begin", "source": "{}", "capture": "{}"}}. Captures here: {}; HIP sources here: {})",
      sources.empty() ? "FILE.hip" : sources.front(),
      captures.empty() ? "FOLDER" : captures.front(),
      captures.empty() ? "none" : fmt::format("{}", fmt::join(captures, ", ")),
      sources.empty() ? "none" : fmt::format("{}", fmt::join(sources, ", ")));
  if (captures.empty()) {
    hint += fmt::format(
        R"(. A capture freezes one dispatch of the program: run {{"action": "capture", "kernel": "{}", "program": ["./app"], "output": "frozen"}}, which needs --allow run and --allow write .)",
        kernel.empty() ? "KERNEL" : kernel);
  }
  return fail(Errc::usage, "a proposal begins with a kernel's source and a capture of its dispatch",
              hint);
}

ToolRun begin(ToolHost& host, const Record& given) {
  if (find_argument(given, "source") == nullptr || find_argument(given, "capture") == nullptr)
    return nothing_to_begin_with(host, given);
  Record arguments = picked(given, {"source", "capture", "kernel"});
  arguments.emplace_back("to", Value("select"));
  return alone(host.run("iterate", arguments));
}

/// The text with `find`, which must stand there once, replaced.
Result<std::string> edited(const std::string& text, const std::string& find,
                           const std::string& replace) {
  const std::size_t at = text.find(find);
  if (at == std::string::npos)
    return fail(Errc::not_found, "the text of 'find' is not in the source",
                "give it as it stands there, with its blanks; resources/read shows the source");
  if (text.find(find, at + 1) != std::string::npos)
    return fail(Errc::usage, "the text of 'find' is several times in the source",
                "give more of what stands around it");
  return text.substr(0, at) + replace + text.substr(at + find.size());
}

ToolRun edit(ToolHost& host, const Record& given) {
  Record arguments = picked(given, {"file", "title"});
  if (find_argument(given, "file") == nullptr) {
    const std::string find = text_argument(given, "find");
    if (find.empty())
      return fail(Errc::usage, "an edit needs the keys 'find' and 'replace', or 'file'",
                  R"(propose {"action": "edit", "find": "…", "replace": "…", "title": "…"})");
    const std::string text = TRY(host.text_to_edit());
    const std::string changed = TRY(edited(text, find, text_argument(given, "replace")));
    arguments.emplace_back("file", Value(TRY(host.own_file(changed))));
  }
  return alone(host.run("propose edit", arguments));
}

}  // namespace

ToolRun compare_two(ToolHost& host, const Record& given) {
  if (find_argument(given, "capture") == nullptr)
    return alone(host.run("compare", with_default(given, "limit", kCompared)));
  Record arguments = picked(given, {"capture", "limit"});
  arguments.emplace_back("baseline", Value(text_argument(given, "before")));
  arguments.emplace_back("candidates", Value(List{Value(text_argument(given, "after"))}));
  return alone(host.run("bench ab", arguments));
}

ToolRun run_action(ToolHost& host, const Record& given) {
  struct Action {
    std::string_view name, words;
  };
  static constexpr std::array<Action, 5> kActions{{{"build", "build"},
                                                   {"profile", "profile"},
                                                   {"capture", "capture run"},
                                                   {"replay", "replay"},
                                                   {"kernel", "kernel run"}}};
  const std::string wanted = text_argument(given, "action");
  const bool options_have_it = find_argument(given, "options") != nullptr;
  if (wanted == "build" && find_argument(given, "source") == nullptr && !options_have_it)
    return fail(Errc::usage, "run build needs the key 'source'",
                R"(run {"action": "build", "source": "k.hip", "output": "k"})");
  if (wanted == "kernel" && find_argument(given, "object") == nullptr && !options_have_it)
    return fail(
        Errc::usage, "run kernel needs the key 'object': a code object or o1",
        R"(run {"action": "kernel", "object": "k.co", "kernel": "NAME", "options": {"grid": "256", "workgroup": "64", "arg": ["f32:iota:256"]}})");
  if ((wanted == "profile" || wanted == "capture") && find_argument(given, "program") == nullptr &&
      !options_have_it)
    return fail(
        Errc::usage, fmt::format("run {} needs the key 'program'", wanted),
        fmt::format(R"(run {{"action": "{}", "program": ["./app", "ARGUMENT"]{}}})", wanted,
                    wanted == "capture" ? R"(, "kernel": "NAME", "output": "frozen")" : ""));
  Record arguments = picked(given, {"program", "source", "kernel", "object", "capture", "output"});
  if (wanted == "profile" || wanted == "capture") arguments.emplace_back("quiet", Value(true));
  if (const Value* options = find_argument(given, "options")) {
    for (const auto& [name, value] : *options->as<Record>()) arguments.emplace_back(name, value);
  }
  for (const Action& action : kActions) {
    if (action.name == wanted) return alone(host.run(action.words, arguments));
  }
  return fail(Errc::internal, fmt::format("no action '{}'", wanted), "");
}

ToolRun propose_action(ToolHost& host, const Record& given) {
  const std::string action = text_argument(given, "action");
  if (action == "begin") return begin(host, given);
  if (action != "list" && !host.text_to_edit()) return nothing_to_begin_with(host, given);
  if (action == "edit") return edit(host, given);
  if (action == "rules") return alone(host.run("propose rule", {}));
  const Record proposal = picked(given, {"proposal"});
  if (action == "decide") return alone(host.run("finish", proposal));
  return alone(action == "show" ? host.run("info proposal", proposal)
                                : host.run("info proposals", {}));
}

}  // namespace rpl
