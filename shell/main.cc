// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>

#include "engine/base/interrupt.h"
#include "engine/base/monitor.h"
#include "engine/base/policy.h"
#include "engine/process/attached.h"
#include "engine/replay/hsa/local.h"
#include "shell/commands/all.h"
#include "shell/commands/debug/debugging.h"
#include "shell/core/command/nearest.h"
#include "shell/core/command/registry.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/approval.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/run/background.h"
#include "shell/core/run/console.h"
#include "shell/core/run/init_files.h"
#include "shell/core/run/options.h"
#include "shell/core/run/progress.h"
#include "shell/core/run/signals.h"
#include "shell/core/session/context.h"
#include "shell/core/session/events.h"
#include "shell/core/session/face.h"
#include "shell/core/session/jobs.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/values.h"
#include "shell/core/session/version.h"
#include "shell/core/terminal/modes.h"
#include "shell/lua/host.h"
#include "shell/lua/interrupt.h"
#include "shell/prompt/argument_completion.h"
#include "shell/prompt/prompt.h"
#include "shell/render/render.h"
#include "shell/server/mcp_reply.h"
#include "shell/server/serve.h"
#include "shell/tui/full_screen.h"

namespace {

using namespace rpl;

Sink sink_to(int descriptor) {
  return [descriptor](OutputBytes bytes) -> Status {
    std::string_view text = bytes.bytes();
    while (!text.empty()) {
      const ssize_t written = write(descriptor, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      // Whoever read us has enough (`rpl … | head`): end as programs do that SIGPIPE kills. What was answered is in the session.
      if (written < 0 && errno == EPIPE) _exit(signals::kStatus + SIGPIPE);
      if (written < 0) return fail(Errc::io, "cannot write the output");
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  };
}

/// Everything that lives as long as the program, wired together.
struct Shell {
  /// What the session may, and what it may from the first message of another program on: until everything that works for it has ended.
  std::optional<PolicyScope> held, served;
  Context context;
  Progress progress{sink_to(STDERR_FILENO), Terminal::of(STDERR_FILENO)};
  Console console{context, render, above_progress(STDOUT_FILENO), above_progress(STDERR_FILENO)};

  Shell() {
    context.face().terminal() = Terminal::of(STDOUT_FILENO);
    add_all_commands(context.registry());
    context.use(make_script_host(context));
    use_debugger(context);
    context.monitor().progress = [this](std::string_view what, std::uint64_t done,
                                        std::uint64_t total) {
      progress.report(what, done, total);
    };
    console.on_start = [this] { progress.begin(); };
    console.pager = [this](const std::function<Status(const Sink&)>& body) {
      return page(context, above_progress(STDOUT_FILENO), body);
    };
  }

  /// Where results and errors go instead of the terminal; empty: nowhere else.
  Sink instead;

  /// What is written takes the place of the progress line.
  Sink above_progress(int descriptor) {
    return [this, sink = sink_to(descriptor)](OutputBytes text) {
      if (instead) return instead(text);
      progress.erase();
      return sink(text);
    };
  }
};

Status apply(const Options& options, Context& context, Console& console) {
  if (options.no_color) context.face().terminal().color = false;
  if (options.width != 0) {
    context.face().terminal().width = options.width;
    context.face().terminal().elide = true;
  }
  if (options.mangled) TRY(context.settings().set("print demangle", "off"));
  console.default_format = options.format;
  return options.target.empty() ? Status()
                                : context.settings().set("target", Value(options.target));
}

/// Where the session is kept and when its folder may appear.
Status keep_session(Context& context, const Options& options,
                    std::span<const std::string> arguments) {
  SessionLog::Options keeping;
  keeping.run = {std::string(version()), {}};
  for (const std::string& argument : arguments)
    keeping.run.arguments.push_back(context.settings().without_secret(argument));
  if (!options.session.empty()) {
    keeping.folder = options.session;
    keeping.create = SessionLog::Create::at_once;
  } else if (!options.one_shot && !options.batch) {
    keeping.create = SessionLog::Create::with_first_trace;
  }
  TRY(context.log().start(std::move(keeping)));
  const auto keep = [&context](const Value& payload) -> Status {
    std::vector<std::string> paths;
    const Value* list = payload.find("paths");
    const Value* id = payload.find("id");
    if (list != nullptr && list->as<List>() != nullptr) {
      for (const Value& path : *list->as<List>()) paths.push_back(as_text(path));
    }
    context.log().opened(id == nullptr ? "" : as_text(*id), paths);
    return {};
  };
  for (const char* event : {"trace_opened", "capture_opened", "object_opened"}) {
    TRY(context.events().on(event, keep));
  }
  return {};
}

/// What a shell that is the job of another one tells it.
void report_to_starter(Context& context) {
  // What the line runs is nobody's job.
  ::unsetenv(job_message::kVariable);
  const Sink err = sink_to(STDERR_FILENO);
  const auto said = std::make_shared<std::atomic<std::int64_t>>(0);
  context.monitor().progress = [err, said](std::string_view what, std::uint64_t done,
                                           std::uint64_t total) {
    constexpr std::int64_t kEvery = 250;
    const std::int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(
                                 std::chrono::steady_clock::now().time_since_epoch())
                                 .count();
    if (std::int64_t before = said->load();
        now - before < kEvery || !said->compare_exchange_strong(before, now))
      return;
    // There is nowhere left to say that it cannot be said.
    static_cast<void>(err(OutputBytes::raw(job_message::progress(what, done, total))));
  };
  const auto opened = [err](const Value& payload) -> Status {
    const Value* list = payload.find("paths");
    if (list == nullptr || list->as<List>() == nullptr) return {};
    std::vector<std::string> paths;
    for (const Value& path : *list->as<List>()) paths.push_back(as_text(path));
    return err(OutputBytes::raw(job_message::opened(paths)));
  };
  for (const char* event : {"trace_opened", "capture_opened", "object_opened", "att_opened"}) {
    if (!context.events().on(event, opened)) return;
  }
}

/// Opens what the command line names and runs -ex and -x in order. False when -batch stops at an error.
bool run_actions(const Options& options, Context& context, Console& console) {
  const bool is_job = std::getenv(job_message::kVariable) != nullptr;
  for (const std::string& path : options.words) {
    // What a job's starter has open, it knows already.
    if (is_job) {
      if (const auto opened = open_in_passing(context, path); !opened)
        return console.report(opened.error(), options.format) == 0;
    } else if (console.run({"open", path}) != 0 && options.batch) {
      return false;
    }
  }
  if (is_job) report_to_starter(context);
  for (const Options::Action& action : options.actions) {
    std::vector<std::string> source{"source", action.text};
    if (action.is_file && !options.after_dashes.empty()) {
      source.emplace_back("--");
      source.insert(source.end(), options.after_dashes.begin(), options.after_dashes.end());
    }
    const int status = action.is_file ? console.run(source) : console.run(action.text);
    if (context.face().leaving() || interrupt::pending()) return !context.face().leaving();
    if (status != 0 && options.batch) return false;
  }
  return true;
}

int run_shell(const Options& options, Shell& shell) {
  Context& context = shell.context;
  if (options.batch) {
    if (!options.no_init) run_init_files(context, {}, sink_to(STDOUT_FILENO));
    run_actions(options, context, shell.console);
    return context.face().exit_code();
  }
  Prompt prompt(context, shell.console, shell.above_progress(STDOUT_FILENO));
  prompt.is_incomplete = is_incomplete_lua;
  const ScreenHost screen{.redirect = [&shell](Sink sink) { shell.instead = std::move(sink); },
                          .prompt = [&context] { return prompt_text(context); },
                          .may_leave =
                              [&context] {
                                return may_leave(context.jobs(), context.workspace(),
                                                 context.settings(), context.face());
                              }};
  prompt.full_screen = [&](const std::string& view) {
    return run_full_screen(context, shell.console, screen, view);
  };
  if (options.full_screen) prompt.begin_full_screen();
  if (!options.no_init) prompt.run_init_files();
  if (!options.full_screen && !options.quiet && options.words.empty()) prompt.greet();
  if (!run_actions(options, context, shell.console)) return context.face().exit_code();
  return prompt.run();
}

/// `set mcp approve on` at the start is the older spelling of --allow approve.
Policy policy_of_programs(const Options& options, const Context& context) {
  Policy out = options.policy();
  if (context.settings().on("mcp approve")) out.granted.add({Capability::approve});
  // An rpl that it starts is told, if it is started without a trick: docs/agents/safety.md.
  if (!out.allows(Capability::approve)) ::setenv(kApprovalVariable, kApprovalRefused, 1);
  return out;
}

/// For programs: no prompt, and stdout is theirs alone.
int run_interpreter(const Options& options, Shell& shell) {
  Context& context = shell.context;
  Streams streams;
  if (auto taken = streams.take_over(); !taken)
    return shell.console.report(taken.error(), Format::text);
  Runner runner(context, streams, sink_to(STDERR_FILENO));
  if (!options.no_init) run_init_files(context, {}, sink_to(STDERR_FILENO));
  if (!run_actions(options, context, runner.console())) return context.face().exit_code();
  // What stood at the start is the starter's own; what follows is asked for by messages.
  shell.served.emplace(policy_of_programs(options, context));
  if (options.interpreter == "jsonl") return run_jsonl(context, runner, streams);
  return run_mcp(context, runner, streams,
                 {.all_tools = options.tools == "all", .text_only = options.mcp_text});
}

/// How a shell like this one is started.
std::vector<std::string> own_program(const Options& options) {
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  std::vector<std::string> out{path.string()};
  if (options.no_init) out.emplace_back("-nx");
  return out;
}

/// What is printed about the program itself, before there is a session; nullopt: nothing of it was asked.
std::optional<TerminalText> text_for_others(
    const Options& options, Context& context,
    const std::function<bool(std::string_view)>& is_command) {
  if (options.help) return terminal_text(usage_text());
  if (options.man) return terminal_text(manual_page(context.registry()));
  if (!options.completion.empty()) return terminal_text(completion_script(options.completion));
  if (options.complete.empty()) return std::nullopt;
  TerminalText out;
  for (const WordChoice& one : complete_arguments(context, options.complete, is_command)) {
    if (terminal_line(one.word) == one.word) out.add("{}\t{}\n", one.word, one.description);
  }
  return out;
}

int run(std::span<const std::string> arguments) {
  Shell shell;
  Context& context = shell.context;
  const auto is_command = [&](std::string_view word) {
    const std::vector<std::string> words{split_suffix({std::string(word)}).first};
    const auto found = context.registry().resolve(words);
    const std::string first = words[0] + " ";
    const auto named = context.registry().all().lower_bound(first);
    const bool group = named != context.registry().all().end() && named->first.starts_with(first);
    return (found || group || !context.registry().next_words(words).empty()) &&
           openable(word) == Openable::nothing;
  };
  auto options = parse_options(arguments, is_command);
  if (!options) return shell.console.report(options.error(), Format::text);
  if (auto applied = apply(*options, context, shell.console); !applied)
    return shell.console.report(applied.error(), options->format);
  if (options->restricted) {
    shell.held.emplace(options->policy());
  } else if (!options->allowed.empty()) {
    shell.held.emplace(Policy{.granted = options->allowed});
  }
  context.jobs().program = own_program(*options);
  if (const auto text = text_for_others(*options, context, is_command))
    return sink_to(STDOUT_FILENO)(*text) ? 0 : 1;
  if (auto kept = keep_session(context, *options, arguments); !kept) {
    return shell.console.report(kept.error(), options->format);
  }
  signals::install(lua_interrupt);
  Attached::keep({.note = terminal_modes::note, .put_back = terminal_modes::put_back});
  if (options->version) return shell.console.run("show version");
  if (!options->stubs.empty()) {
    const auto written = write_lua_stubs(context.registry(), options->stubs);
    return written ? 0 : shell.console.report(written.error(), options->format);
  }
  const bool for_programs = options->interpreter != "console";
  const int status = options->one_shot ? shell.console.run(options->words)
                     : for_programs    ? run_interpreter(*options, shell)
                                       : run_shell(*options, shell);
  for (const std::string& line : end_jobs(context.jobs())) shell.console.note(line);
  // A command that a Ctrl-C stops where it is, as `continue`, has not failed; the run has ended early all the same.
  const bool cut_short = (options->one_shot || options->batch) && interrupt::pending();
  return signals::exit_status(cut_short && status == 0 ? exit_status(Errc::interrupted) : status);
}

}  // namespace

int main(int argc, char** argv) {
  // Before anything of the shell takes addresses that a replay on a GPU needs.
  if (argc > 1 && argv[1] == std::string_view(rpl::kWorkerOption))
    return rpl::replay_worker(argc, argv);
  // Widths of characters follow the terminal; numbers stay as they are written in JSON.
  // A login over ssh may name a locale that this machine has not.
  if (std::setlocale(LC_CTYPE, "") == nullptr && rpl::Terminal::of(STDOUT_FILENO).unicode)
    std::setlocale(LC_CTYPE, "C.UTF-8");
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    return run(arguments);
  } catch (const std::exception& error) {
    static_cast<void>(sink_to(STDERR_FILENO)(
        encoded<TerminalText>("error: internal: {}\n", std::string_view(error.what()))));
    return 1;
  }
}
