// SPDX-License-Identifier: MIT
#include "shell/core/run/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "engine/base/encode.h"
#include "engine/base/policy.h"
#include "engine/base/text.h"
#include "engine/metrics/counters/catalogue.h"
#include "engine/metrics/counters/plan.h"
#include "engine/optimize/store/store.h"
#include "shell/core/command/registry.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/open_loop.h"
#include "shell/core/session/context.h"
#include "shell/core/session/debug_state.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"

namespace rpl {

Vocabulary::Vocabulary(const Context& context)
    : Inputs(context), registry(context.registry()), debug(context.debug()), log(context.log()) {}

Typed split_typed(std::string_view text, std::size_t offset) {
  Typed typed;
  typed.start = offset + text.size();
  char quote = 0;
  bool in_word = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool blank = quote == 0 && (c == ' ' || c == '\t');
    if (blank && in_word) {
      typed.after_pipe = typed.after_pipe || typed.current == "|";
      typed.words.push_back(std::exchange(typed.current, {}));
      in_word = false;
      typed.start = offset + text.size();
    }
    if (blank) continue;
    if (!in_word) typed.start = offset + at;
    in_word = true;
    if (quote == 0 && (c == '\'' || c == '"')) {
      if (typed.current.empty()) typed.start = offset + at + 1;
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      if (c == '\\' && quote != '\'' && at + 1 < text.size()) ++at;
      typed.current += text[at];
    }
  }
  return typed;
}

namespace {

void keep_matching(std::vector<std::string>& names, std::string_view typed) {
  std::erase_if(names, [&](const std::string& name) { return !name.starts_with(typed); });
}

std::vector<std::string> kernel_names(const Vocabulary& known) {
  const auto open = known.workspace.current();
  if (!open) return {};
  const auto trace = (*open)->get({});
  if (!trace) return {};
  std::vector<std::string> names;
  for (const Kernel& kernel : (*trace)->kernels()) {
    names.push_back(short_kernel(kernel.name));
    names.push_back(kernel.id);
  }
  return names;
}

std::vector<std::string> stream_ids(const Vocabulary& known) {
  const auto open = known.workspace.current();
  if (!open) return {};
  const auto trace = (*open)->get({});
  std::vector<std::string> ids;
  const std::size_t count = trace ? (*trace)->entities().streams.size() : 0;
  for (std::size_t i = 0; i < count; ++i) ids.push_back(fmt::format("s{}", i));
  return ids;
}

std::vector<std::string> dispatch_ids(const Vocabulary& known) {
  std::vector<std::string> ids;
  for (const std::string& id : known.workspace.last_rows) {
    if (id.starts_with('d')) ids.push_back(id);
  }
  if (const auto row = known.workspace.selection.dispatch) {
    ids.push_back(fmt::format("d{}", *row + 1));
  }
  return ids;
}

std::vector<std::string> trace_names(const Vocabulary& known, std::string_view typed) {
  std::vector<std::string> names = complete_path(typed);
  for (const auto& trace : known.workspace.traces()) names.push_back(trace->id());
  return names;
}

std::vector<std::string> of_debugger(const Vocabulary& known, Complete what,
                                     std::string_view typed) {
  if (!known.debug.names) return {};
  return known.debug.names(what, typed);
}

std::vector<std::string> variables(const Vocabulary& known, std::string_view typed) {
  std::vector<std::string> names = of_debugger(known, Complete::variable, typed);
  for (const auto& [name, value] : known.values.variables()) names.push_back("$" + name);
  for (std::size_t i = known.values.first(); i <= known.values.last(); ++i)
    names.push_back(fmt::format("${}", i));
  return names;
}

/// Settings have names of several words: the next word of each that continues `before`, and then its values.
std::vector<std::string> setting_words(const Vocabulary& known,
                                       std::span<const std::string> before) {
  std::string prefix;
  for (const std::string& word : before) prefix += word + " ";
  std::vector<std::string> words;
  for (const auto& [name, setting] : known.settings.all()) {
    if (name + " " == prefix) {
      words.insert(words.end(), setting.param.choices.begin(), setting.param.choices.end());
      if (setting.param.type == ParamType::boolean) words.insert(words.end(), {"on", "off"});
    } else if (name.starts_with(prefix)) {
      const std::string_view rest = std::string_view(name).substr(prefix.size());
      words.emplace_back(rest.substr(0, rest.find(' ')));
    }
  }
  return words;
}

std::vector<std::string> command_words(const Vocabulary& known,
                                       std::span<const std::string> before) {
  std::vector<std::string> words = known.registry.next_words(before);
  if (!before.empty()) return words;
  for (const auto& [alias, expansion] : known.registry.aliases()) words.push_back(alias);
  return words;
}

std::vector<std::string> capture_names(const Vocabulary& known, std::string_view typed) {
  std::vector<std::string> names = complete_path(typed);
  for (const auto& capture : known.workspace.captures.all()) names.push_back(capture->id);
  return names;
}

std::vector<std::string> proposal_ids(const Vocabulary& known) {
  const auto store = kept_proposals(known.log);
  std::vector<std::string> ids;
  if (!store || !*store) return ids;
  for (const Proposal& proposal : (*store)->proposals()) ids.push_back(proposal.id());
  return ids;
}

/// Sets of counters, and the counters of all architectures.
std::vector<std::string> counter_names() {
  std::vector<std::string> names;
  for (const CounterSetInfo& set : counter_sets()) names.emplace_back(set.name);
  const CounterCatalogue& all = CounterCatalogue::current();
  for (const std::string_view arch : all.architectures()) {
    for (const CounterInfo* counter : all.of(arch)) names.emplace_back(counter->name);
  }
  return names;
}

/// What `param` takes; `before` are the arguments that stand before it.
std::vector<std::string> values_of(const Vocabulary& known, const Param& param,
                                   std::string_view typed, std::span<const std::string> before) {
  if (!param.choices.empty()) return {param.choices.begin(), param.choices.end()};
  switch (param.complete) {
    case Complete::file:
      return complete_path(typed);
    case Complete::capture:
      return capture_names(known, typed);
    case Complete::counters:
      return counter_names();
    case Complete::proposal:
      return proposal_ids(known);
    case Complete::kernel:
      return kernel_names(known);
    case Complete::dispatch:
      return dispatch_ids(known);
    case Complete::stream:
      return stream_ids(known);
    case Complete::trace:
      return trace_names(known, typed);
    case Complete::command:
      return command_words(known, before);
    case Complete::setting:
      return setting_words(known, before);
    case Complete::variable:
      return variables(known, typed);
    case Complete::argument:
      return {"f32:zero:", "f32:one:",  "f32:random:", "f32:iota:", "f32:nan:",  "f32:@",
              "f32:",      "f16:zero:", "f64:zero:",   "i32:",      "i32:zero:", "i64:",
              "u32:",      "u32:zero:", "u64:",        "u8:zero:"};
    case Complete::place:
    case Complete::point:
    case Complete::reg:
    case Complete::wave:
    case Complete::lane:
    case Complete::display:
      return of_debugger(known, param.complete, typed);
    case Complete::none:
      break;
  }
  return {};
}

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names{"--json",  "--jsonl", "--csv", "--csv-raw", "--md",
                                 "--limit", "--trace", "--att", "--capture"};
  for (const Param& param : command.params) {
    if (param.kind == ParamKind::option || param.kind == ParamKind::flag) {
      names.push_back("--" + param.name);
    }
  }
  return names;
}

const Param* option_waiting_for_value(const Command& command, std::span<const std::string> given) {
  if (given.empty() || !given.back().starts_with("--")) return nullptr;
  const Param* param = command.param(std::string_view(given.back()).substr(2));
  return param != nullptr && param->kind == ParamKind::option ? param : nullptr;
}

const Param* next_positional(const Command& command, std::span<const std::string> given) {
  std::size_t index = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].starts_with("--")) {
      if (option_waiting_for_value(command, given.first(i + 1)) != nullptr) ++i;
    } else {
      ++index;
    }
  }
  const Param* last = nullptr;
  for (const Param& param : command.params) {
    if (param.kind != ParamKind::positional && param.kind != ParamKind::rest) continue;
    if (index == 0) return &param;
    --index;
    last = &param;
  }
  const bool goes_on = last != nullptr && (last->repeated || last->kind == ParamKind::rest);
  return goes_on ? last : nullptr;
}

std::vector<std::string> argument_candidates(const Vocabulary& known, const Command& command,
                                             std::span<const std::string> given,
                                             std::string_view typed) {
  if (typed.starts_with('$')) return variables(known, typed);
  if (const Param* option = option_waiting_for_value(command, given)) {
    return values_of(known, *option, typed, {});
  }
  if (typed.starts_with('-') && !command.raw) return option_names(command);
  const Param* param = next_positional(command, given);
  if (param == nullptr) return command.raw ? std::vector<std::string>{} : complete_path(typed);
  std::vector<std::string> values = values_of(known, *param, typed, given);
  // Most commands open a recording that is named where something else could stand.
  // Nobody names one where the debugger's names stand.
  if (!command.raw && param->choices.empty() && param->complete < Complete::variable &&
      param->complete != Complete::setting && param->complete != Complete::command &&
      !typed.empty()) {
    const std::vector<std::string> paths = complete_path(typed);
    values.insert(values.end(), paths.begin(), paths.end());
  }
  return values;
}

/// A raw command takes the whole line, what looks like a pipe included.
bool is_raw(const Vocabulary& known, const std::string& word) {
  const auto resolved = known.registry.resolve(std::vector<std::string>{word});
  return resolved && resolved->command->raw;
}

/// In an expression what is completed is the name at its end: in[0]+$v.
void begin_at_name(Typed& typed) {
  std::size_t begin = typed.current.size();
  const auto of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
  };
  while (begin > 0 && of_name(typed.current[begin - 1])) --begin;
  typed.start += begin;
  typed.current.erase(0, begin);
}

std::vector<std::string> candidates(const Vocabulary& known, Typed& typed) {
  const bool raw = !typed.words.empty() && is_raw(known, typed.words[0]);
  if (typed.after_pipe && !raw) return complete_path(typed.current);
  for (std::string& word : typed.words) {
    const std::size_t suffix = word.find('/');
    if (suffix != std::string::npos && suffix > 0) word.resize(suffix);
  }
  std::vector<std::string> found = command_words(known, typed.words);
  if (typed.words.empty()) return found;
  const auto resolved = known.registry.resolve(typed.words);
  if (!resolved) return found;
  const auto given = std::span(typed.words).subspan(resolved->words);
  const Param* next = next_positional(*resolved->command, given);
  if (next != nullptr && next->complete == Complete::variable) begin_at_name(typed);
  // Of several words of a list the last one.
  const Param* option = option_waiting_for_value(*resolved->command, given);
  const std::size_t comma = typed.current.rfind(',');
  if (option != nullptr && option->repeated && !option->choices.empty() &&
      comma != std::string::npos) {
    typed.start += comma + 1;
    typed.current.erase(0, comma + 1);
  }
  const std::vector<std::string> more =
      argument_candidates(known, *resolved->command, given, typed.current);
  found.insert(found.end(), more.begin(), more.end());
  return found;
}

}  // namespace

std::vector<std::string> complete_path(std::string_view typed) {
  namespace fs = std::filesystem;
  const std::size_t slash = typed.rfind('/');
  const std::string folder(slash == std::string_view::npos ? "" : typed.substr(0, slash + 1));
  const std::string_view name = typed.substr(folder.size());
  std::vector<std::string> found;
  if (!check_input(folder.empty() ? "." : folder)) return found;
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       !error && entry != end; entry.increment(error)) {
    std::string file = entry->path().filename().string();
    if (!file.starts_with(name) || (file[0] == '.' && !name.starts_with('.'))) continue;
    std::error_code ignored;
    if (entry->is_directory(ignored)) file += '/';
    found.push_back(folder + file);
  }
  return found;
}

Completions complete(const Vocabulary& known, std::string_view line, std::size_t cursor) {
  std::string_view text = line.substr(0, cursor);
  std::size_t offset = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(offset);
  Typed typed;
  Completions out;
  if (text.starts_with('!') || text.starts_with('=')) {
    typed = split_typed(text.substr(1), offset + 1);
    out.candidates =
        text[0] == '!' ? complete_path(typed.current) : variables(known, typed.current);
  } else {
    const bool asks_help = text.starts_with('?');
    typed = split_typed(text.substr(asks_help ? 1 : 0), offset + (asks_help ? 1 : 0));
    out.candidates = asks_help ? command_words(known, typed.words) : candidates(known, typed);
  }
  out.start = typed.start;
  keep_matching(out.candidates, typed.current);
  // A terminal would obey such a name while it is listed; whoever means it types an id.
  std::erase_if(out.candidates, [](const std::string& one) { return terminal_line(one) != one; });
  std::ranges::sort(out.candidates);
  const auto twice = std::ranges::unique(out.candidates);
  out.candidates.erase(twice.begin(), twice.end());
  return out;
}

}  // namespace rpl
