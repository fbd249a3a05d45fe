// SPDX-License-Identifier: MIT
#include "shell/core/run/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

#include "engine/base/encode.h"
#include "engine/base/files.h"
#include "engine/base/interrupt.h"
#include "engine/base/monitor.h"
#include "engine/base/text.h"
#include "engine/document/json.h"
#include "engine/process/attached.h"
#include "shell/core/command/registry.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
#include "shell/core/session/debug_state.h"
#include "shell/core/session/displays.h"
#include "shell/core/session/events.h"
#include "shell/core/session/face.h"
#include "shell/core/session/jobs.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/user_commands.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

/// No line of a foreign text looks like one of ours.
TerminalText as_remark(std::string_view text) {
  constexpr std::size_t kIndent = 2;
  return terminal_block(text, kIndent) + "\n";
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// What form an error takes when the line could not even be parsed.
Format wanted_format(const std::vector<Word>& words, Format otherwise) {
  for (const Word& word : words) {
    if (!word.quoted && (word.text == "--json" || word.text == "/j")) return Format::json;
  }
  return otherwise;
}

/// Of a command made with `define`: its lines run, and take its form and pipe.
bool has_body(const Command& command) { return command.is_user_defined && command.raw; }

bool has_content(const Document& document) {
  return !document.record.empty() || document.has_table() || !document.text.empty();
}

}  // namespace

std::string without_sugar(std::string_view line) {
  const std::string_view text = trimmed(line);
  // `pipe LINE | PROGRAM` is what every line can: the word, or a bar in front, is left out.
  if (text.starts_with("pipe ")) return without_sugar(text.substr(5));
  if (text.starts_with('|') && !text.starts_with("||")) return without_sugar(text.substr(1));
  if (text.starts_with('!')) return "shell " + std::string(trimmed(text.substr(1)));
  if (text.starts_with('=')) return "print " + std::string(trimmed(text.substr(1)));
  if (text.starts_with('?')) return "help " + std::string(trimmed(text.substr(1)));
  return std::string(text);
}

Console::Console(Context& context, Renderer render, Sink out, Sink err)
    : context_(context), render_(render), out_(std::move(out)), err_(std::move(err)) {
  context_.monitor().note = [this](const std::string& text) { note(text); };
  context_.attach(*this);
}

Console::~Console() { context_.detach(*this); }

Status Console::write(OutputBytes text) {
  context_.log().printed(question_, text.bytes());
  return running_format_ == Format::text ? out_(text) : err_(text);
}

Status Console::show(const Document& document) {
  context_.log().printed(question_, to_json(Value(kept_result(document))));
  // One result for programs is one document: what a script shows on its way goes to the person.
  if (running_format_ == Format::text) return show(document, {});
  return render_(document, {}, terminal(), err_);
}

bool Console::confirm(std::string_view question, bool otherwise) {
  return attended() ? ask_(terminal_text(question)) : otherwise;
}

void Console::announce(std::string_view text) {
  if (attended() && context_.monitor().note) context_.monitor().note(std::string(text));
}

void Console::suggest(std::vector<std::string> lines, Document& out) {
  if (attended()) std::ranges::move(lines, std::back_inserter(out.next));
}

bool Console::waits_for(const std::function<bool()>& ready, std::chrono::milliseconds patience) {
  using namespace std::chrono;
  const auto begin = steady_clock::now();
  while (attended() && !ready() && steady_clock::now() - begin < patience)
    std::this_thread::sleep_for(microseconds(250));
  return !attended() || ready();
}

void Console::add_displays(const std::function<void()>& add) {
  if (!attended()) add();
}

Result<Document> Console::start_script(ScriptHost& scripts, const std::string& path) {
  return attended() ? scripts.load_file(path) : scripts.run_file(path, {});
}

void Console::resume_after_interrupt() {
  if (attended()) interrupt::clear();
}

bool Console::watch(std::shared_ptr<LineWatcher> watcher) {
  if (attended()) watcher_ = std::move(watcher);
  return attended();
}

TerminalText Console::for_reader(std::string_view text) const {
  const bool read = terminal().interactive && isatty(STDERR_FILENO) == 1;
  const TerminalText shown = as_remark(text);
  return read ? broken_between_words(shown, terminal().width) : shown;
}

void Console::note(std::string_view text) {
  // There is nowhere left to say that a note cannot be written.
  static_cast<void>(err_(for_reader(fmt::format("note: {}", text))));
}

ParseHooks Console::hooks() const {
  ParseHooks hooks;
  hooks.variable = [this](std::string_view name) -> Result<std::string> {
    if (Values::is_computed_address(name)) return std::string(name);
    const Value value = TRY(context_.values().lookup(name));
    if (value.as<List>() || value.as<Record>()) {
      return fail(Errc::usage, fmt::format("{} is not a single value", name),
                  fmt::format("choose a part, like {}.rows[1].id", name));
    }
    return as_text(value);
  };
  hooks.opens = [](std::string_view path) { return openable(path) != Openable::nothing; };
  return hooks;
}

Result<Invocation> Console::understand(std::string_view typed) {
  const std::string line = without_alias(context_.registry(), typed);
  if (auto raw = TRY(parse_raw(context_.registry(), line))) return std::move(*raw);
  if (const auto in_background = without_ampersand(line))
    return understand("background " + *in_background);
  const Line split = TRY(split_line(line));
  std::vector<std::string> words;
  for (const Word& word : split.words) words.push_back(word.text);
  // A person who types `info` alone wants the list, as in GDB.
  if (const std::string family = context_.registry().family(words);
      attended() && split.pipe.empty() && !family.empty())
    return understand("help " + family);
  Invocation invocation = TRY(parse(context_.registry(), split.words, hooks(), split.text));
  invocation.pipe = split.pipe;
  return invocation;
}

int Console::run(std::string_view raw) {
  if (const Status fits = check_length_of_line(raw); !fits)
    return exit_code() = report(fits.error(), default_format);
  if (trimmed(raw) == "!!") {
    if (last_line_.empty())
      return report({Errc::not_found, "no line was typed before", "an empty line repeats one, too"},
                    default_format);
    return run(std::string(last_line_));
  }
  const std::string line = without_sugar(raw);
  if (line.empty() || line.starts_with('#')) return 0;
  last_line_ = std::string(trimmed(raw));
  const auto invocation = asks_for_pipe(raw) ? piped(raw) : understand(line);
  if (invocation) return perform(*invocation, line);
  skip_body(line);
  const auto split = split_line(line);
  const Format format = split ? wanted_format(split->words, default_format) : default_format;
  return misunderstood(invocation.error(), line, format);
}

int Console::run(const std::vector<std::string>& given) {
  std::vector<Word> words;
  std::string line;
  for (const std::string& text : given) {
    if (!line.empty()) line += ' ';
    words.push_back({text, false, line.size(), text.size()});
    line += text;
  }
  const auto raw = parse_raw(context_.registry(), line);
  if (raw && *raw) return perform(**raw, line);
  const auto invocation = parse(context_.registry(), words, hooks(), line);
  if (invocation) return perform(*invocation, line);
  return misunderstood(invocation.error(), line, wanted_format(words, default_format));
}

void Console::keep_misunderstood(const Error& error, const std::string& line) {
  const Result<Document> result = Failure(error);
  context_.log().answered(context_.log().asked(context_.settings().without_secret(line)), result,
                          {});
}

int Console::misunderstood(const Error& error, const std::string& line, Format format) {
  keep_misunderstood(error, line);
  repeatable_.clear();
  return exit_code() = report(error, format);
}

/// What was asked is kept before it runs and the answer before it is shown, so that a kill loses nothing a person saw.
Result<Document> Console::kept(const Invocation& invocation, const std::string& line) {
  const SessionLog::Question question =
      context_.log().asked(context_.settings().without_secret(line));
  const auto started = std::chrono::steady_clock::now();
  const SessionLog::Question outer = std::exchange(question_, question);
  Result<Document> result =
      has_body(*invocation.command) ? execute_body(invocation, line) : execute(invocation, line);
  question_ = outer;
  context_.log().answered(question, result, std::chrono::steady_clock::now() - started);
  return result;
}

/// What comes before every line that was asked for; what the hook ended with, 0 to go on.
int Console::begin(const Command& command) {
  if (on_start) on_start();
  take_screen_settings();
  return context_.user_commands().run_hook(*this, "hook-", command);
}

int Console::perform(const Invocation& invocation, const std::string& line) {
  const Command& command = *invocation.command;
  if (const int hook = begin(command); hook != 0) return exit_code() = hook;
  Result<Document> result = kept(invocation, line);
  Invocation shown = invocation;
  // The form and pipe of a line whose body ran were those of its commands.
  if (has_body(command)) shown = Invocation();
  shown.command = &command;
  const int status = finish(std::move(result), shown);
  if (status == 0) context_.user_commands().run_hook(*this, "hookpost-", command);
  after_typed(command, status);
  // Commands that the command itself ran are not what an empty line repeats.
  repeatable_ = command.repeatable ? line : "";
  return status;
}

Result<Invocation> Console::understood(std::string_view line) {
  return understand(without_sugar(line));
}

Result<Console::Answer> Console::answer(Invocation invocation, const std::string& line) {
  const Command& command = *invocation.command;
  // Whoever asks shows the document: what is printed on the way is text. What a pipe takes has the form of its line.
  if (invocation.pipe.empty()) invocation.form.format = Format::text;
  if (const int hook = begin(command); hook != 0) {
    exit_code() = hook;
    return fail(Errc::denied,
                fmt::format("the hook before '{}' kept it from running", command.path),
                "what it printed says why");
  }
  Result<Document> result = kept(invocation, line);
  if (!result) {
    exit_code() = exit_status(result.error().code);
    return std::move(result).failure();
  }
  const auto document = std::make_shared<const Document>(std::move(*result));
  exit_code() = document->exit_code;
  if (invocation.pipe.empty() || has_body(command)) {
    remember(document, command);
  } else {
    TRY(present(document, invocation));
  }
  if (exit_code() == 0) context_.user_commands().run_hook(*this, "hookpost-", command);
  return Answer{document, has_body(command) ? std::nullopt : invocation.form.limit};
}

void Console::take_screen_settings() {
  terminal().mangled = !context_.settings().on("print demangle");
  if (const std::int64_t width = context_.settings().integer("width"); width > 0) {
    if (!before_width_) before_width_ = terminal();
    terminal().width = static_cast<std::size_t>(width);
    terminal().elide = true;
  } else if (before_width_) {
    terminal().width = before_width_->width;
    terminal().elide = before_width_->elide;
    before_width_.reset();
  }
}

/// What a person sees behind the result of a line: displays that may have changed, and what a watcher says.
void Console::after_typed(const Command& command, int status) {
  const bool moved = command.changes_program && !command.keeps_place && !command.is_user_defined;
  if (status == 0 && moved && attended() && !context_.displays().all().empty()) {
    auto document = context_.displays().evaluate(context_.debug(), context_.scripts());
    const bool any = document && !document->text.empty();
    const Status shown = any ? show(*document, {}) : Status();
    if (!shown) report(shown.error(), Format::text);
  }
  // A copy: its own line may end the watching.
  if (const auto watcher = watcher_) watcher->ended(command, status);
}

Result<Document> Console::evaluate(std::string_view raw) {
  TRY(check_length_of_line(raw));
  const std::string line = without_sugar(raw);
  if (line.empty() || line.starts_with('#')) return Document{};
  return execute(TRY(understand(line)), line);
}

Status Console::open_named(const Invocation& invocation) {
  for (const std::string& name : invocation.open) TRY(open_in_passing(context_, name));
  return {};
}

Result<Document> Console::execute(const Invocation& invocation, std::string_view line) {
  TRY(context_.events().emit("before_command", Value(Record{{"line", Value(line)}})));
  TRY(open_named(invocation));
  const Format form = invocation.form.format;
  const Format before =
      std::exchange(running_format_, form == Format::text ? default_format : form);
  auto result = dispatch(context_, *invocation.command, invocation.arguments);
  if (result) note_damage(context_.workspace(), *result);
  running_format_ = before;
  return result;
}

/// The lines of a command made with `define` take its form, and its pipe gets what they print.
Result<Document> Console::execute_body(const Invocation& invocation, std::string_view line) {
  const Format form =
      invocation.form.format == Format::text ? default_format : invocation.form.format;
  const Format before = std::exchange(default_format, form);
  Result<Document> result = Document{};
  Status status;
  if (invocation.pipe.empty()) {
    result = execute(invocation, line);
  } else {
    const Terminal usual_terminal = terminal();
    const Redirect paging = std::exchange(pager, nullptr);
    terminal().color = terminal().elide = terminal().interactive = false;
    status = to_host(invocation.pipe, [&](const Sink& sink) -> Status {
      // A reader that has seen enough does not make the lines fail.
      const Sink usual = std::exchange(out_, [&sink](OutputBytes text) -> Status {
        static_cast<void>(sink(text));
        return {};
      });
      result = execute(invocation, line);
      out_ = usual;
      return {};
    });
    terminal() = usual_terminal;
    pager = paging;
  }
  default_format = before;
  if (!status) return Failure(status.error());
  return result;
}

int Console::finish(Result<Document> result, const Invocation& invocation) {
  const Format format =
      invocation.form.format == Format::text ? default_format : invocation.form.format;
  if (!result) return exit_code() = report(result.error(), format);
  const auto document = std::make_shared<const Document>(std::move(*result));
  exit_code() = document->exit_code;
  if (auto status = present(document, invocation); !status) {
    return exit_code() = report(status.error(), format);
  }
  return exit_code();
}

Status Console::present(std::shared_ptr<const Document> document, const Invocation& invocation) {
  Form form = invocation.form;
  if (form.format == Format::text) form.format = default_format;
  const bool to_person = terminal().interactive && invocation.pipe.empty();
  if (form.format == Format::text && to_person && !form.limit) {
    form.limit = static_cast<std::uint64_t>(context_.settings().integer("rows"));
  }
  remember(document, *invocation.command);
  // Programs get a document for every command, people only what says something.
  if (!has_content(*document) && form.format != Format::json) {
    remarks(*document, form.format);
    return {};
  }
  if (const auto text = numbered_text(*document, *invocation.command, form.format)) {
    auto copy = std::make_shared<Document>(*document);
    copy->text = *text;
    document = std::move(copy);
  }
  Terminal shown_on = terminal();
  if (!invocation.pipe.empty()) shown_on.elide = shown_on.color = false;
  const auto body = [&](const Sink& sink) { return render_(*document, form, shown_on, sink); };
  Status status;
  if (!invocation.pipe.empty()) {
    status = to_host(invocation.pipe, body);
  } else if (pager && attended() && form.format == Format::text) {
    status = pager(body);
  } else {
    status = body(out_);
  }
  remarks(*document, form.format);
  return status;
}

Status Console::show(const Document& document, const Form& form) {
  TRY(render_(document, form, terminal(), out_));
  remarks(document, form.format);
  return {};
}

Status Console::to_host(const std::string& command,
                        const std::function<Status(const Sink&)>& body) {
  Spawn spawn;
  spawn.argv = {"/bin/sh", "-c", command};
  Attached child = TRY(Attached::start(spawn, Attached::Input::written));
  bool open = true;
  const Status status = body([&](OutputBytes text) -> Status {
    open = TRY(child.write(text.bytes()));
    // The reader has seen enough (head, less): not a failure, but nothing more is worth making.
    if (!open) return fail(Errc::io, "the reader is gone");
    return {};
  });
  TRY(child.finish());
  return open ? status : Status();
}

void Console::remember(const std::shared_ptr<const Document>& document, const Command& command) {
  if (!has_content(*document)) return;
  std::size_t id = document->columns.size();
  for (std::size_t i = document->columns.size(); i-- > 0;) {
    if (document->columns[i].type == Type::id) id = i;
  }
  if (id < document->columns.size()) {
    constexpr std::size_t kKept = 10'000;
    std::vector<std::string> ids;
    const auto status = document->each_row([&](const Row& row) {
      ids.push_back(as_text(row[id]));
      return ids.size() < kKept;
    });
    if (status) context_.workspace().last_rows = std::move(ids);
  }
  if (command.changes_program) return;
  const auto limit = [this](std::string_view setting) {
    return static_cast<std::size_t>(context_.settings().integer(setting));
  };
  context_.values().add(document,
                        {.count = limit("history values"), .bytes = limit("history bytes")},
                        command.numbered);
}

void Console::remarks(const Document& document, Format format) {
  if (format == Format::json) return;
  for (const std::string& note : document.notes) {
    if (!err_(for_reader("note: " + note))) return;
  }
  const bool hints = attended() && terminal().interactive && context_.settings().on("next") &&
                     format == Format::text;
  if (!hints || document.next.empty()) return;
  std::string line = "next:";
  std::size_t used = line.size();
  for (const std::string& command : document.next) {
    const std::string_view gap = used == 5 ? " " : "   ";
    const std::size_t wide = display_width(command);
    const bool fits = used == 5 || used + gap.size() + wide <= terminal().width;
    line += fits ? std::string(gap) + command : "\n      " + command;
    used = fits ? used + gap.size() + wide : 6 + wide;
  }
  TerminalText shown = terminal_text(line);
  if (terminal().color) shown = "\033[2m" + shown + "\033[0m";
  if (!err_(shown + "\n")) return;
}

int Console::report(const Error& error, Format format) {
  if (format == Format::json || format == Format::jsonl) {
    if (!out_(error_json(error))) return exit_status(Errc::io);
    return exit_status(error.code);
  }
  if (error.code == Errc::interrupted && attended()) {
    return err_(as_remark(error.hint.empty() ? "Quit" : "Quit; " + error.hint))
               ? exit_status(error.code)
               : exit_status(Errc::io);
  }
  std::string text = fmt::format("error: {}", error.message);
  if (!error.hint.empty()) text += fmt::format("; {}", error.hint);
  if (!err_(for_reader(text))) return exit_status(Errc::io);
  return exit_status(error.code);
}

}  // namespace rpl
