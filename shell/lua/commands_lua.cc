// SPDX-License-Identifier: MIT
#include "shell/lua/module.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "shell/core/command/line.h"
#include "shell/core/command/nearest.h"
#include "shell/core/command/standing_arguments.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
#include "shell/lua/handles.h"
#include "shell/render/scale.h"

namespace rpl {
namespace commands_binding {
namespace {

bool is_keyword(std::string_view word) {
  static const std::set<std::string_view> keywords{
      "and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
      "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
      "repeat",   "return", "then", "true", "until",  "while"};
  return keywords.contains(word);
}

bool starts_with(const std::vector<std::string>& path, const std::vector<std::string>& words) {
  return path.size() >= words.size() && std::equal(words.begin(), words.end(), path.begin());
}

std::string joined(const std::vector<std::string>& words) {
  std::string text = "rpl.cmd";
  for (const std::string& word : words) text += "." + word;
  return text;
}

CommandNode& self(lua_State* thread) { return check_object<CommandNode>(thread, 1); }

const Registry& registry(lua_State* thread) { return LuaHost::of(thread).context().registry(); }

/// "rpl.cmd.info.kernels" for the word info_kernel, as tools and files spell commands; "" where no command is near.
std::string near_command(const Registry& commands, std::string_view word) {
  std::vector<std::string> names;
  for (const auto& [path, command] : commands.all()) {
    std::string& name = names.emplace_back(path);
    std::ranges::replace(name, ' ', '_');
    std::ranges::replace(name, '-', '_');
  }
  const std::vector<std::string> near = nearest(word, names);
  if (near.empty()) return {};
  const auto at = std::ranges::find(names, near.front()) - names.begin();
  std::string path = std::next(commands.all().begin(), at)->first;
  std::ranges::replace(path, ' ', '.');
  std::ranges::replace(path, '-', '_');
  return "rpl.cmd." + path;
}

int index_word(lua_State* thread) {
  CommandNode node = self(thread);
  node.words.emplace_back(luaL_checkstring(thread, 2));
  if (words_after(registry(thread), node.words).empty() &&
      command_at(registry(thread), node.words) == nullptr) {
    const std::string word = node.words.back();
    node.words.pop_back();
    Error error =
        no_such_field(joined(node.words), word, words_after(registry(thread), node.words));
    const std::string near = node.words.empty() && word.find('_') != std::string::npos
                                 ? near_command(registry(thread), word)
                                 : std::string();
    if (!near.empty()) error.hint = did_you_mean(std::vector{near});
    raise_error(thread, error);
  }
  push_object(thread, std::move(node));
  return 1;
}

Result<Document> call(lua_State* thread, CommandNode& node) {
  const Command* command = command_at(registry(thread), node.words);
  if (command == nullptr) {
    std::string hint;
    for (const std::string& word : words_after(registry(thread), node.words)) {
      hint += (hint.empty() ? "it has " : ", ") + word;
    }
    raise_error(thread,
                {Errc::usage, fmt::format("{} is not a command", joined(node.words)), hint});
  }
  return run_from_lua(thread, *command, 2);
}

int next_word(lua_State* thread) {
  return guarded(thread, [&] {
    CommandNode node = self(thread);
    const auto words = words_after(registry(thread), node.words);
    auto at = words.begin();
    if (lua_type(thread, 2) == LUA_TSTRING) {
      at = std::ranges::upper_bound(words, std::string_view(lua_tostring(thread, 2)));
    }
    if (at == words.end()) return 0;
    lua_pushstring(thread, at->c_str());
    node.words.push_back(*at);
    push_object(thread, std::move(node));
    return 2;
  });
}

int pairs(lua_State* thread) {
  self(thread);
  lua_pushcfunction(thread, next_word);
  lua_pushvalue(thread, 1);
  lua_pushnil(thread);
  return 3;
}

std::string tostring(lua_State* thread, const CommandNode& node) {
  const Command* command = command_at(registry(thread), node.words);
  if (command != nullptr) return fmt::format("{}: {}", command->usage(), command->summary);
  std::string text = joined(node.words) + ":";
  for (const std::string& word : words_after(registry(thread), node.words)) text += " " + word;
  return text;
}

constexpr luaL_Reg kMetamethods[] = {
    {"__index", thunk<&index_word>},
    {"__call", thunk<&call>},
    {"__pairs", thunk<&pairs>},
    {"__tostring", thunk<&tostring>},
};

/// What a Lua call said, before it is checked against the command.
struct Given {
  List positional;
  Record named;
  StandingArguments standing;
};

Status take_table(lua_State* thread, int index, const Command& command, Given& given) {
  const auto size = static_cast<lua_Integer>(lua_rawlen(thread, index));
  for (lua_Integer at = 1; at <= size; ++at) {
    lua_rawgeti(thread, index, at);
    auto value = value_at(thread, -1);
    lua_pop(thread, 1);
    given.positional.push_back(TRY(std::move(value)));
  }
  lua_pushnil(thread);
  while (lua_next(thread, index) != 0) {
    if (lua_type(thread, -2) == LUA_TSTRING) {
      const std::string name = lua_tostring(thread, -2);
      auto value = value_at(thread, -1);
      if (!value) return Failure(std::move(value).error().in(name));
      if (!TRY(take_standing(command, name, *value, given.standing)))
        given.named.emplace_back(name, std::move(*value));
    } else if (!lua_isinteger(thread, -2) || lua_tointeger(thread, -2) > size) {
      return fail(Errc::usage, "arguments are a list and names; a list has no holes");
    }
    lua_pop(thread, 1);
  }
  return {};
}

Result<Given> take_arguments(lua_State* thread, const Command& command, int first) {
  Given given;
  const int last = lua_gettop(thread);
  for (int index = first; index <= last; ++index) {
    if (index == last && lua_type(thread, index) == LUA_TTABLE) {
      const int top = lua_gettop(thread);
      const Status status = take_table(thread, index, command, given);
      lua_settop(thread, top);
      TRY(status);
    } else {
      given.positional.push_back(TRY(value_at(thread, index)));
    }
  }
  return given;
}

/// A positional that names a recording says on what the command works, as on the command line.
void take_recordings(Given& given, const Command& command) {
  const bool takes_file = std::ranges::any_of(
      command.params, [](const Param& param) { return takes_path(param.complete); });
  if (takes_file || !given.standing.trace.empty()) return;
  const auto names_recording = [](const Value& value) {
    const auto* text = value.as<std::string>();
    return text != nullptr && is_recording(*text);
  };
  const auto found = std::ranges::find_if(given.positional, names_recording);
  if (found == given.positional.end()) return;
  given.standing.trace = *found->as<std::string>();
  given.positional.erase(found);
}

/// The first rows of another source.
class FirstRows : public RowSource {
 public:
  FirstRows(std::unique_ptr<RowSource> all, std::uint64_t limit)
      : all_(std::move(all)), left_(limit) {}
  Result<bool> next(Row& row) override {
    if (left_ == 0) return false;
    --left_;
    return all_->next(row);
  }

 private:
  std::unique_ptr<RowSource> all_;
  std::uint64_t left_;
};

/// Keeps the first rows, and says so as the forms for programs do.
Status cut_rows(Document& document, std::uint64_t limit) {
  const auto kept = grouped(static_cast<std::int64_t>(limit));
  if (document.rows_from) {
    std::uint64_t met = 0;
    TRY(document.each_row([&](const Row&) { return ++met <= limit; }));
    if (met <= limit) return {};
    const auto total = static_cast<std::int64_t>(document.total_rows);
    document.notes.push_back(total > 0 ? fmt::format("only {} of {} rows", kept, grouped(total))
                                       : fmt::format("only first {} rows", kept));
    document.rows_from = [all = std::move(document.rows_from), limit] {
      return std::make_unique<FirstRows>(all(), limit);
    };
  } else if (document.rows.size() > limit) {
    if (document.total_rows == 0) document.total_rows = document.rows.size();
    const auto total = static_cast<std::int64_t>(document.total_rows);
    document.notes.push_back(fmt::format("only {} of {} rows", kept, grouped(total)));
    document.rows.resize(limit);
  }
  return {};
}

}  // namespace
}  // namespace commands_binding

const ClassBinding kCommandsClass{
    .name = type_name<CommandNode>,
    .help = "A command, or the first words of several: rpl.cmd.info.kernels{limit=3}.",
    .fields = {},
    .methods = {},
    .metamethods = commands_binding::kMetamethods,
    .callable = "fun(self: rpl.Commands, ...: any): rpl.Result",
    .finalizer = detail::finalize<CommandNode>,
};

std::string lua_word(std::string_view word) {
  std::string name = underscored(word);
  return commands_binding::is_keyword(name) ? name + "_" : name;
}

std::vector<std::string> lua_words(std::string_view path) {
  std::vector<std::string> words;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(' '), path.size());
    words.push_back(lua_word(path.substr(0, end)));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return words;
}

const Command* command_at(const Registry& registry, const std::vector<std::string>& words) {
  for (const auto& [path, command] : registry.all()) {
    if (lua_words(path) == words) return command.get();
    for (const Label& alias : command->aliases) {
      if (lua_words(alias) == words) return command.get();
    }
  }
  return nullptr;
}

std::vector<std::string> words_after(const Registry& registry,
                                     const std::vector<std::string>& words) {
  std::set<std::string> next;
  for (const auto& [path, command] : registry.all()) {
    const auto all = lua_words(path);
    if (all.size() > words.size() && commands_binding::starts_with(all, words))
      next.insert(all[words.size()]);
    for (const Label& alias : command->aliases) {
      const auto other = lua_words(alias);
      if (other.size() > words.size() && commands_binding::starts_with(other, words)) {
        next.insert(other[words.size()]);
      }
    }
  }
  return {next.begin(), next.end()};
}

Result<Document> run_from_lua(lua_State* thread, const Command& command, int first,
                              const std::string& on) {
  LuaHost& host = LuaHost::of(thread);
  commands_binding::Given given = TRY(commands_binding::take_arguments(thread, command, first));
  commands_binding::take_recordings(given, command);
  if (given.standing.trace.empty()) given.standing.trace = on;
  const Arguments arguments = TRY(check_arguments(command, given.positional, given.named));
  for (const std::string& name : given.standing.others) TRY(open_in_passing(host.context(), name));
  auto result = given.standing.trace.empty()
                    ? host.run(command, arguments)
                    : host.run_on(given.standing.trace, command, arguments);
  Document document = TRY(std::move(result));
  if (given.standing.limit) TRY(commands_binding::cut_rows(document, *given.standing.limit));
  return document;
}

}  // namespace rpl
