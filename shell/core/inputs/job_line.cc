// SPDX-License-Identifier: MIT
#include "shell/core/inputs/job_line.h"

#include <fmt/format.h>

#include "engine/base/policy.h"
#include "engine/process/run.h"
#include "shell/core/command/line.h"
#include "shell/core/command/registry.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/jobs.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

/// The file or folder behind the id of something open; "" for other words.
Result<std::string> path_behind(const Workspace& workspace, const std::string& word) {
  for (const auto& open : workspace.traces()) {
    if (open->id() != word) continue;
    if (!open->origin().empty() || open->paths().size() != 1) {
      return fail(Errc::usage,
                  fmt::format("{} is not a single file, and a job opens its own: {}", word,
                              open->origin().empty() ? "it was merged" : open->origin()),
                  "run the line without &");
    }
    return open->paths().front();
  }
  const auto on = [&](const auto& shelf) {
    const auto entry = shelf.find(word);
    return entry != nullptr && entry->id == word ? entry->path : std::string();
  };
  for (const std::string& path : {on(workspace.captures), on(workspace.objects),
                                  on(workspace.thread_traces), on(workspace.profiles)}) {
    if (!path.empty()) return path;
  }
  return std::string();
}

/// What stands for a word in the other shell: itself, mostly.
Result<std::string> elsewhere(const Inputs& inputs, const Word& word) {
  if (word.quoted) return std::string();
  if (word.text.size() > 1 && word.text.front() == '$') {
    const auto value = inputs.values.lookup(word.text);
    if (!value || value->as<List>() != nullptr || value->as<Record>() != nullptr)
      return std::string();
    return command_line({as_text(*value)});
  }
  const std::string path = TRY(path_behind(inputs.workspace, word.text));
  return path.empty() ? path : command_line({path});
}

Status check(const JobStarter& shell, const Line& line) {
  std::vector<std::string> words;
  for (const Word& word : line.words) words.push_back(word.text);
  const Command& command = *TRY(shell.registry.resolve(words)).command;
  switch (command.chapter) {
    case Class::files:
    case Class::walking:
    case Class::stepping:
    case Class::support:
    case Class::user:
      return fail(
          Errc::usage,
          fmt::format("'{}' works on this shell, and a job is a shell of its own", command.path),
          "run it without &");
    default:
      break;
  }
  ParseHooks hooks;
  hooks.variable = [&](std::string_view name) -> Result<std::string> {
    return as_text(TRY(shell.values.lookup(name)));
  };
  hooks.opens = [](std::string_view path) { return openable(path) != Openable::nothing; };
  TRY(parse(shell.registry, line.words, hooks, line.text));
  return {};
}

}  // namespace

JobStarter::JobStarter(const Context& context)
    : Inputs(context),
      registry(context.registry()),
      jobs(context.jobs()),
      face(context.face()),
      log(context.log()) {}

Result<std::string> line_of_job(const JobStarter& shell, std::string_view typed) {
  const Line line = TRY(split_line(without_alias(shell.registry, typed)));
  if (line.words.empty())
    return fail(Errc::usage, "there is no line to run", "background COMMAND, or COMMAND &");
  std::string out;
  std::size_t done = 0;
  for (const Word& word : line.words) {
    if (word.text == "--" && !word.quoted) break;  // what follows are the words of a program
    const std::string other = TRY(elsewhere(shell, word));
    if (other.empty()) continue;
    out += line.text.substr(done, word.offset - done) + other;
    done = word.offset + word.length;
  }
  out += line.text.substr(done);
  TRY(check(shell, TRY(split_line(out))));
  return out;
}

Result<std::vector<std::string>> arguments_of_job(const JobStarter& shell,
                                                  const std::string& line) {
  if (shell.jobs.program.empty())
    return fail(Errc::unsupported, "jobs need the program rpl itself", "run the line without &");
  std::vector<std::string> out = shell.jobs.program;
  // A job may what its starter may.
  for (std::string& option : policy().options()) out.push_back(std::move(option));
  out.insert(out.end(), {"-q", "-batch", "--no-color", "--width",
                         fmt::format("{}", shell.face.terminal().width)});
  if (shell.log.session() != nullptr)
    out.insert(out.end(), {"--session", shell.log.session()->folder()});
  const auto add = [&out](const auto& shelf) {
    if (shelf.current() != nullptr) out.push_back(shelf.current()->path);
  };
  add(shell.workspace.objects);
  add(shell.workspace.captures);
  add(shell.workspace.thread_traces);
  // The current one last, as it is what lines are about; one that is not a file stays behind, and who names it is told.
  if (const auto current = shell.workspace.current();
      current && (*current)->origin().empty() && (*current)->paths().size() == 1) {
    out.push_back((*current)->paths().front());
  }
  for (const auto& [name, setting] : shell.settings.all()) {
    const Value& value = shell.settings.get(name);
    if (value == setting.param.default_value || !check_allowed(setting.needs, name)) continue;
    out.insert(out.end(), {"-ex", fmt::format("set {} {}", name, command_line({as_text(value)}))});
  }
  out.insert(out.end(), {"-ex", line});
  return out;
}

}  // namespace rpl
