// SPDX-License-Identifier: MIT
// What the core's tools run, beside those that change something (core_actions.cc).
#include <fmt/format.h>

#include "engine/document/json.h"
#include "shell/server/tools/arguments.h"
#include "shell/server/tools/core.h"

namespace rpl {
namespace {

constexpr std::int64_t kRows = 10, kTop = 5, kQueryRows = 20;

std::vector<ToolPart> only(ToolPart part) {
  std::vector<ToolPart> out;
  out.push_back(std::move(part));
  return out;
}

/// The first row's cell of that column; "" where there is none.
std::string first_cell(const ToolPart& part, std::string_view column) {
  if (!part.document) return {};
  const Document& document = **part.document;
  std::string out;
  static_cast<void>(document.each_row([&](const Row& row) {
    for (std::size_t i = 0; i < document.columns.size(); ++i) {
      const auto* text = row[i].as<std::string>();
      if (document.columns[i].name == column && text != nullptr) out = *text;
    }
    return false;
  }));
  return out;
}

}  // namespace

ToolRun open_paths(ToolHost& host, const Record& given) {
  std::vector<ToolPart> out = only(host.run("open", given));
  if (!out[0].document) return out;
  const Value* id = (*out[0].document)->get("id");
  const auto* name = id == nullptr ? nullptr : id->as<std::string>();
  if (name == nullptr) return out;
  if (name->starts_with("att")) {
    out.push_back(host.run("att summary", {}));
  } else if (name->starts_with('t')) {
    out.push_back(host.run("summary", {{"top", Value(kTop)}}));
  } else if (name->starts_with('c')) {
    out.push_back(host.run("capture info", {}));
  } else if (name->starts_with('o')) {
    out.push_back(host.run("object kernels", {{"object", Value(*name)}}));
  }
  return out;
}

ToolRun status_of_all(ToolHost& host, const Record& /*given*/) {
  std::vector<ToolPart> out;
  for (const char* words : {"trace list", "capture list", "info proposals", "info capabilities"})
    out.push_back(host.run(words, {}));
  return out;
}

ToolRun kernels(ToolHost& host, const Record& given) {
  const bool one = find_argument(given, "kernel") != nullptr;
  Record arguments = picked(given, {"kernel", "trace"});
  if (one) return only(host.run("info kernel", arguments));
  for (auto& argument : with_default(picked(given, {"sort", "limit"}), "limit", kRows))
    arguments.push_back(std::move(argument));
  return only(host.run("info kernels", arguments));
}

ToolRun critical_path(ToolHost& host, const Record& given) {
  Record arguments = picked(with_default(given, "top", kTop), {"top", "trace"});
  arguments.emplace_back("limit", *find_argument(arguments, "top"));
  std::vector<ToolPart> out = only(host.run("critpath", arguments));
  out.push_back(host.run("gaps", arguments));
  return out;
}

ToolRun diagnose_kernel(ToolHost& host, const Record& given) {
  Record arguments = picked(given, {"kernel", "trace"});
  if (find_argument(given, "kernel") == nullptr) {
    const std::string worst =
        first_cell(host.run("critpath", with_default(arguments, "limit", 1)), "id");
    if (!worst.empty()) arguments.emplace_back("kernel", Value(worst));
  }
  std::vector<ToolPart> out;
  for (const char* words : {"classify", "headroom", "advise"})
    out.push_back(host.run(words, arguments));
  return out;
}

ToolRun metrics(ToolHost& host, const Record& given) {
  const std::string view = text_argument(given, "view");
  const Record arguments =
      with_default(picked(given, {"kernel", "trace", "limit"}), "limit", kRows);
  return only(host.run(view == "counters" ? "counters metrics" : view, arguments));
}

ToolRun hotspots(ToolHost& host, const Record& given) {
  const std::string view = text_argument(given, "view");
  Record arguments = picked(with_default(given, "top", kRows), {"top", "att"});
  arguments.emplace_back("limit", *find_argument(arguments, "top"));
  return only(host.run(view == "instructions" ? "att insts"
                       : view.empty()         ? "att lines"
                                              : "att " + view,
                       arguments));
}

ToolRun what_if(ToolHost& host, const Record& given) {
  const bool removes = find_argument(given, "remove") != nullptr;
  return only(host.run("whatif", removes ? given : with_default(given, "speedup", 2)));
}

ToolRun explain_number(ToolHost& host, const Record& given) {
  return only(host.run("explain", given));
}

ToolRun query(ToolHost& host, const Record& given) {
  Record arguments = picked(given, {"trace"});
  arguments.emplace_back("query", Value(text_argument(given, "sql")));
  const Value* limit = find_argument(given, "limit");
  arguments.emplace_back("limit", limit == nullptr ? Value(kQueryRows) : *limit);
  return only(host.run("sql", arguments));
}

ToolRun debug_lines(ToolHost& host, const Record& given) {
  std::vector<ToolPart> out;
  for (const std::string& line : texts_argument(given, "lines")) {
    out.push_back(host.run_line(line));
    if (!out.back().document) break;
  }
  return out;
}

ToolRun any_command(ToolHost& host, const Record& given) {
  const std::string more = text_argument(given, "more"), help = text_argument(given, "help");
  if (!more.empty()) return only(TRY(host.more(more)));
  if (!help.empty()) {
    ToolPart part = host.run("help", {{"topic", Value(help)}});
    return only(part.document ? std::move(part) : host.run("apropos", {{"word", Value(help)}}));
  }
  const std::string line = text_argument(given, "line");
  if (line.empty())
    return fail(Errc::usage, "command needs the key 'line', 'help' or 'more'",
                R"({"line": "info kernels --limit 5"})");
  return only(host.run_line(line));
}

}  // namespace rpl
