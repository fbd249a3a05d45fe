// SPDX-License-Identifier: MIT
#include "shell/lua/host.h"

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "shell/core/command/registry.h"
#include "shell/core/command/settings.h"
#include "shell/core/run/init_files.h"
#include "shell/core/run/script_files.h"
#include "shell/core/session/context.h"
#include "shell/core/session/events.h"
#include "shell/core/session/face.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/handles.h"
#include "shell/lua/interrupt.h"
#include "shell/lua/module.h"
#include "shell/lua/state.h"

namespace rpl {
namespace {

Result<std::string> contents(const std::string& path) {
  auto text = read_text_file(path);
  if (!text) return fail(text.error().code, text.error().message, "give the path of a .lua file");
  TRY(check_trusted(path, *text));
  return text;
}

/// Puts current trace and selection back at the end of a scope. What was closed meanwhile stays closed.
class KeepSelection {
 public:
  explicit KeepSelection(Workspace& workspace)
      : workspace_(workspace), selection_(workspace.selection), rows_(workspace.last_rows) {
    if (auto current = workspace.current()) id_ = (*current)->id();
  }
  ~KeepSelection() {
    if (id_.empty() || !workspace_.select(id_)) return;
    workspace_.selection = selection_;
    workspace_.last_rows = std::move(rows_);
  }
  KeepSelection(const KeepSelection&) = delete;
  KeepSelection& operator=(const KeepSelection&) = delete;

 private:
  Workspace& workspace_;
  std::string id_;
  Selection selection_;
  std::vector<std::string> rows_;
};

/// A word as it must be written on a command line to be read back unchanged.
std::string in_quotes(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

OpenTrace* find_open(Workspace& workspace, std::string_view id) {
  for (const auto& trace : workspace.traces()) {
    if (trace->id() == id) return trace.get();
  }
  return nullptr;
}

/// Takes a space apart: the table without its function, and the function.
constexpr const char* kTakeApart = R"lua(
local file = ...
local space = file()
if type(space) ~= "table" then error("the file returns no table: { parameters = {...}, where = function(p) ... end }", 0) end
local where = space.where
if type(where) == "function" then space.where = nil else where = nil end
return space, where
)lua";

}  // namespace

std::unique_ptr<ScriptHost> make_script_host(Context& context) {
  return std::make_unique<LuaHost>(context);
}

State& LuaHost::state() {
  if (!state_) {
    state_ = std::make_unique<State>(this);
    open_module(state_->thread());
  }
  state_->show_traceback = context_.settings().on("trace-back");
  return *state_;
}

Result<TracePtr> LuaHost::share(const std::string& id) {
  OpenTrace* open =
      id.empty() ? TRY(context_.workspace().current()) : find_open(context_.workspace(), id);
  if (open == nullptr)
    return fail(Errc::not_found, fmt::format("no open trace '{}'", id),
                "open it again: rpl.open(path)");
  std::weak_ptr<TraceShare>& known = shares_[open->id()];
  if (auto share = known.lock()) return share;
  const auto trace = TRY(open->get(context_.monitor()));
  auto share = std::make_shared<TraceShare>(TraceShare{open->id(), trace});
  known = share;
  return share;
}

Result<const Trace*> LuaHost::live(TraceShare& share) {
  if (find_open(context_.workspace(), share.id) == nullptr) {
    share.trace.reset();
    return fail(Errc::not_found, fmt::format("trace {} is closed", share.id),
                "open it again: rpl.open(path)");
  }
  return share.trace.get();
}

Result<Document> LuaHost::run(const Command& command, const Arguments& arguments) {
  if (!in_listener_) {
    in_listener_ = true;
    const Status status =
        context_.events().emit("before_command", Value(Record{{"line", Value(command.path)}}));
    in_listener_ = false;
    TRY(status);
  }
  auto result = dispatch(context_, command, arguments);
  if (result) note_damage(context_.workspace(), *result);
  return result;
}

Result<OpenTrace*> LuaHost::open(const std::vector<std::string>& paths) {
  OpenTrace* opened = TRY(context_.workspace().open(paths));
  const std::string id = opened->id();
  if (auto trace = opened->get(context_.monitor()); !trace) {
    // A script is told at once; a recording that cannot be read does not stay among the open ones.
    TRY(context_.workspace().close(id));
    return std::move(trace).failure();
  }
  List list;
  for (const std::string& path : paths) list.emplace_back(path);
  Record payload{{"id", Value(id)}, {"paths", Value(std::move(list))}};
  if (auto status = context_.events().emit("trace_opened", Value(std::move(payload))); !status) {
    TRY(context_.workspace().close(id));
    return std::move(status).failure();
  }
  return opened;
}

Status LuaHost::close(const std::string& id) {
  TRY(context_.workspace().close(id));
  if (const auto known = shares_.find(id); known != shares_.end()) {
    if (const auto share = known->second.lock()) share->trace.reset();
    shares_.erase(known);
  }
  // Lua sees a few bytes of handle where gigabytes may hang on it.
  if (state_) state_->collect();
  return context_.events().emit("trace_closed", Value(Record{{"id", Value(id)}}));
}

void LuaHost::exit(lua_State* thread, int code) {
  exit_code_ = code;
  lua_unwind_for_exit(thread);
}

Document LuaHost::exit_document() {
  Document document;
  document.exit_code = *std::exchange(exit_code_, std::nullopt);
  context_.face().leave();
  context_.face().exit_code() = document.exit_code;
  return document;
}

Result<Document> LuaHost::run_with_texts(const std::string& command,
                                         const std::vector<std::string>& texts) {
  std::string line = command;
  const auto plain = [](std::string_view text) {
    return text.find_first_of(" \t'\"\\$#|") == std::string_view::npos;
  };
  for (const std::string& text : texts) {
    const bool form = text == "--json" || text == "--jsonl" || text == "--csv" ||
                      text == "--csv-raw" || text == "--md";
    if (form)
      return fail(Errc::usage, fmt::format("{} is not an argument of a script", text),
                  fmt::format("it stands in front: rpl {} -batch -x …", text));
    // Quoted words are never options: of `--flag=-O3 -g` only the value is quoted.
    const std::size_t name = text.starts_with("--") ? std::min(text.find('='), text.size()) : 0;
    if (name == 0 || !plain(std::string_view(text).substr(0, name))) {
      line += " " + in_quotes(text);
    } else if (plain(text)) {
      line += " " + text;
    } else {
      line += " " + text.substr(0, name) + " " + in_quotes(text.substr(name + 1));
    }
  }
  return context_.face().evaluate_line(line);
}

Result<Document> LuaHost::run_on(const std::string& id, const Command& command,
                                 const Arguments& arguments) {
  const KeepSelection keep(context_.workspace());
  const bool is_open = find_open(context_.workspace(), id) != nullptr;
  if (!is_open && is_recording(id)) {
    TRY(open({id}));
  } else {
    TRY(context_.workspace().select(id));
  }
  return run(command, arguments);
}

Result<Document> LuaHost::take_results(int first, const Converter& convert) {
  lua_State* thread = state_->thread();
  // Making a document runs Lua code too (__tostring, handles of closed traces), so it happens in a protected call of its own.
  struct Taking {
    const Converter& convert;
    Result<Document> out = Document{};
  } job{convert};
  lua_pushcfunction(thread, [](lua_State* inner) {
    return guarded(inner, [&] {
      auto* own = static_cast<Taking*>(lua_touserdata(inner, 1));
      own->out = own->convert(inner, 2);
      return 0;
    });
  });
  lua_insert(thread, first);
  lua_pushlightuserdata(thread, &job);
  lua_insert(thread, first + 1);
  TRY(state_->call(lua_gettop(thread) - first, 0));
  return std::move(job.out);
}

Result<Document> LuaHost::call_loaded(int arguments, const Converter& convert) {
  const bool outermost = RunningThread::current() == nullptr;
  if (outermost) exit_code_.reset();
  const int first = lua_gettop(state_->thread()) - arguments;
  if (auto status = state_->call(arguments, LUA_MULTRET); !status) {
    if (outermost && exit_code_) return exit_document();
    return std::move(status).failure();
  }
  return take_results(first, convert);
}

Result<Document> LuaHost::evaluate(const std::string& text) {
  State& lua = state();
  const std::string plain = with_variables(text);
  auto loaded = lua.load("return " + plain, "=(lua)", ChunkScope::prompt);
  if (!loaded) loaded = lua.load(plain, "=(lua)", ChunkScope::prompt);
  TRY(std::move(loaded));
  return call_loaded(0, document_from);
}

Result<Document> LuaHost::evaluate_expression(const std::string& text) {
  TRY(state().load("return " + with_variables(text), "=(lua)", ChunkScope::prompt));
  return call_loaded(0, document_from);
}

Result<ScriptHost::Condition> LuaHost::condition(const std::string& text) {
  State& lua = state();
  TRY(lua.load("local _ENV = rpl.debug.names return " + with_variables(text), "=(condition)",
               ChunkScope::prompt));
  return [this, kept = std::make_shared<Ref>(lua.keep())] { return holds(*kept, nullptr); };
}

Result<Document> LuaHost::run_file(const std::string& path,
                                   const std::vector<std::string>& arguments) {
  return start(path, arguments, true);
}

Result<Document> LuaHost::load_file(const std::string& path) { return start(path, {}, false); }

Result<Document> LuaHost::load_text(const std::string& path, const std::string& text) {
  return start_text(path, text, {}, false, path);
}

Result<Document> LuaHost::start(const std::string& name, const std::vector<std::string>& arguments,
                                bool run_command) {
  const std::string path = TRY(find_script(name));
  // What was found by its name is called by it: where rpl is installed is nobody's business.
  const bool by_name = name.find('/') == std::string::npos;
  return start_text(path, TRY(contents(path)), arguments, run_command,
                    by_name ? std::filesystem::path(path).filename().string() : path);
}

Result<Document> LuaHost::start_text(const std::string& path, std::string text,
                                     const std::vector<std::string>& arguments, bool run_command,
                                     const std::string& called) {
  // A first line for the host's loader ("#!") is none of Lua's business; its line stays.
  if (text.starts_with('#')) text.insert(0, "--");
  State& lua = state();
  const std::vector<std::string> before = std::exchange(arguments_, arguments);
  set_module_path(lua.thread(), std::filesystem::path(path).parent_path().string());
  std::string command;
  auto result = [&]() -> Result<Document> {
    TRY(lua.load(text, "@" + called, ChunkScope::script));
    return call_loaded(0, [&](lua_State* thread, int first) -> Result<Document> {
      const bool one = lua_gettop(thread) == first;
      const auto* node = one ? find_object<CommandNode>(thread, first) : nullptr;
      const Command* known = node ? command_at(context_.registry(), node->words) : nullptr;
      if (known == nullptr) return document_from(thread, first);
      command = known->path;
      return Document{};
    });
  }();
  if (result && !command.empty()) {
    if (run_command) {
      result = run_with_texts(command, arguments);
    } else {
      result->notes.push_back(
          fmt::format("'{}' is a command now; 'help {}' explains it", command, command));
    }
  }
  arguments_ = before;
  return result;
}

Result<bool> LuaHost::holds(const Ref& function, const Record* configuration) {
  lua_State* thread = state().thread();
  constexpr int kRoom = 20;
  if (lua_checkstack(thread, kRoom) == 0)
    return fail(Errc::limit, "conditions are nested too deeply");
  function.push(thread);
  if (configuration != nullptr) push_value(thread, Value(*configuration));
  TRY(state().call(configuration != nullptr ? 1 : 0, 1));
  const bool holds = lua_toboolean(thread, -1) != 0;
  lua_pop(thread, 1);
  return holds;
}

ScriptHost::Predicate LuaHost::predicate_of(Ref function) {
  return [this, kept = std::make_shared<Ref>(std::move(function))](const Record& configuration) {
    return holds(*kept, &configuration);
  };
}

Result<ScriptHost::Predicate> LuaHost::predicate(const std::string& text) {
  State& lua = state();
  TRY(lua.load("local p = ... return " + with_variables(text), "=(condition)", ChunkScope::prompt));
  return predicate_of(lua.keep());
}

Result<std::pair<Value, ScriptHost::Predicate>> LuaHost::space_of(const std::string& path) {
  State& lua = state();
  const std::string text = TRY(read_text_file(path));
  set_module_path(lua.thread(), std::filesystem::path(path).parent_path().string());
  TRY(lua.load(kTakeApart, "=(space)", ChunkScope::script));
  TRY(lua.load(text, "@" + path, ChunkScope::script));
  std::pair<Value, Predicate> out;
  TRY(call_loaded(1, [&](lua_State* thread, int first) -> Result<Document> {
    out.first = TRY(value_at(thread, first));
    if (lua_isfunction(thread, first + 1)) {
      lua_pushvalue(thread, first + 1);
      out.second = predicate_of(state().keep());
    }
    return Document{};
  }));
  return out;
}

}  // namespace rpl
