// SPDX-License-Identifier: MIT
#include "shell/server/tools/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/document/json.h"
#include "shell/core/command/registry.h"

namespace rpl {
namespace {

/// A line that one tool is for. `arguments` are its keys, with {} where the rest of the line stands.
struct Step {
  std::string_view line, tool, arguments, alone;  ///< `alone`: the keys where nothing follows
};
constexpr std::string_view kNone = "{}";
constexpr std::array<Step, 21> kSteps{{
    {"open", "open", R"("path": [%])", R"("path": ["FILE"])"},
    {"att open", "open", R"("path": [%])", R"("path": ["FOLDER"])"},
    {"capture open", "open", R"("path": [%])", R"("path": ["FOLDER"])"},
    {"info kernels", "kernels", "", kNone},
    {"info kernel", "kernels", R"("kernel": %)", kNone},
    {"critpath", "critical_path", "", kNone},
    {"classify", "diagnose", R"("kernel": %)", kNone},
    {"headroom", "diagnose", R"("kernel": %)", kNone},
    {"advise", "diagnose", R"("kernel": %)", kNone},
    {"occupancy", "metrics", R"("view": "occupancy", "kernel": %)", R"("view": "occupancy")"},
    {"roofline", "metrics", R"("view": "roofline", "kernel": %)", R"("view": "roofline")"},
    {"counters metrics", "metrics", R"("view": "counters", "kernel": %)", R"("view": "counters")"},
    {"att lines", "hotspots", R"("view": "lines", "att": %)", R"("view": "lines")"},
    {"att insts", "hotspots", R"("view": "instructions", "att": %)", R"("view": "instructions")"},
    {"att waits", "hotspots", R"("view": "waits", "att": %)", R"("view": "waits")"},
    {"att hidden", "hotspots", R"("view": "hidden", "att": %)", R"("view": "hidden")"},
    {"whatif", "whatif", R"("kernel": [%])", ""},
    {"explain", "explain", R"("what": %)", ""},
    {"info proposal", "propose", R"("action": "show", "proposal": %)", R"("action": "show")"},
    {"info proposals", "propose", "", R"("action": "list")"},
    {"finish", "propose", R"("action": "decide", "proposal": %)", R"("action": "decide")"},
}};

/// Phrases of hints that are of a prompt alone.
struct Phrase {
  std::string_view shell, agent;
};
constexpr std::array<Phrase, 15> kPhrases{{
    {"open one: open FILE, or name it in the command: summary FILE",
     R"(open {"path": ["FILE"]}, or the key 'trace' of a tool, opens one)"},
    {"open one: open FILE.co, or name it in the command",
     R"(open {"path": ["FILE.co"]} opens one)"},
    {"open one: open FILE.co", R"(open {"path": ["FILE.co"]} opens one)"},
    {"open one: open FILE", R"(open {"path": ["FILE"]} opens one)"},
    {"open another one: open FILE", R"(open {"path": ["FILE"]} opens another one)"},
    {"open one: att open DIR, or name it in the command",
     R"(open {"path": ["FOLDER"]}, or the key 'att' of hotspots, opens one)"},
    {"open one: att open DIR", R"(open {"path": ["FOLDER"]} opens one)"},
    {"open one: capture open DIR, or name it in the command",
     R"(open {"path": ["FOLDER"]}, or the key 'capture' of a tool, opens one)"},
    {"open one: capture open DIR", R"(open {"path": ["FOLDER"]} opens one)"},
    {"'open FILE'", R"(open {"path": ["FILE"]})"},
    {"'file OBJECT'", R"(open {"path": ["OBJECT"]})"},
    {"'break KERNEL' and 'kernel run OBJECT KERNEL …' or 'replay CAPTURE', or either with --stop",
     R"(debug {"lines": ["break KERNEL", "kernel run OBJECT KERNEL --grid N --workgroup N --arg …"]}, or "replay CAPTURE --stop")"},
    {"'step --source FILE.hip --capture DIR'",
     R"(propose {"action": "begin", "source": "FILE.hip", "capture": "FOLDER"})"},
    {"kernel run OBJECT --grid … --workgroup … --arg …, or name a capture",
     R"(run {"action": "kernel", "object": "OBJECT", "options": {"grid": "256", "workgroup": "64", "arg": ["f32:iota:256"]}} runs one; open {"path": ["FOLDER"]} opens a capture)"},
    {"name a recording as the first argument, or open one before: open FILE",
     R"(open {"path": ["FILE"]} opens one)"},
}};

std::string json_of(std::string_view text) { return to_json(Value(std::string(text))); }

std::string any_line(std::string_view line) {
  return fmt::format(R"(command {{"line": {}}})", json_of(line));
}

/// "k1e0d77 --speedup 2", "k1e0d77 --remove" and what has no options.
std::string what_if_keys(std::string_view rest) {
  const std::vector<std::string> words = split_words(rest);
  std::string out;
  if (words.size() == 2 && words[1] == "--remove")
    out = fmt::format(R"("kernel": [{}], "remove": true)", json_of(words[0]));
  if (words.size() == 3 && words[1] == "--speedup")
    out = fmt::format(R"("kernel": [{}], "speedup": {})", json_of(words[0]), words[2]);
  return out;
}

}  // namespace

std::string step_for_agent(std::string_view line) {
  const Step* best = nullptr;
  for (const Step& one : kSteps) {
    const bool begins = line.starts_with(one.line) &&
                        (line.size() == one.line.size() || line[one.line.size()] == ' ');
    if (begins && (best == nullptr || one.line.size() > best->line.size())) best = &one;
  }
  if (best == nullptr) return any_line(line);
  std::string_view rest = line.substr(best->line.size());
  rest.remove_prefix(std::min(rest.size(), std::size_t{1}));
  if (rest.empty()) {
    if (best->alone.empty()) return any_line(line);
    return best->alone == kNone ? fmt::format("{} {{}}", best->tool)
                                : fmt::format("{} {{{}}}", best->tool, best->alone);
  }
  std::string keys = best->line == "whatif" ? what_if_keys(rest) : "";
  // One word is an argument; options are those of the command.
  const bool one_word = rest.find(' ') == std::string_view::npos && !rest.starts_with('-');
  if (keys.empty() && one_word && !best->arguments.empty()) {
    keys = best->arguments;
    keys.replace(keys.find('%'), 1, json_of(rest));
  }
  return keys.empty() ? any_line(line) : fmt::format("{} {{{}}}", best->tool, keys);
}

std::string hint_for_agent(std::string hint) {
  for (const Phrase& one : kPhrases) {
    const std::size_t at = hint.find(one.shell);
    if (at != std::string::npos) hint.replace(at, one.shell.size(), one.agent);
  }
  return hint;
}

}  // namespace rpl
