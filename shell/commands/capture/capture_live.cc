// SPDX-License-Identifier: MIT
// Programs that run with the capture tool: what they dispatch, and telling them what to capture while they run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/demangle.h"
#include "engine/intercept/live.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/core/command/define.h"
#include "shell/core/session/context.h"
#include "shell/core/session/folders.h"

namespace rpl {
namespace {

using intercept::LiveRequest;
using intercept::LiveStatus;

struct LiveArgs {
  std::string action = "show", kernel, output, grid, scope = "reachable";
  std::int64_t pid = 0, dispatch = 1, longer_us = 0, limit_mib = 0, seconds = 600;
};

std::uint64_t count_of(const LiveStatus& status) {
  std::uint64_t out = 0;
  for (const auto& [name, count] : status.report.dispatches) out += count;
  return out;
}

std::string held_text(const LiveStatus& status) {
  if (!status.held) return {};
  return fmt::format("{} [{}]", demangled(status.held->kernel), fmt::join(status.held->grid, " "));
}

constexpr const char* kHowToStart =
    "start one in the background: capture run - --target local -- ./app &";

Document nobody() {
  Document out;
  out.notes.push_back(fmt::format("no program runs with the capture tool; {}", kHowToStart));
  return out;
}

/// The one process that is meant. Fails with not_found, or ambiguous and names them.
Result<std::int64_t> process_of(const std::string& folder, std::int64_t wished) {
  const std::vector<std::int64_t> all = intercept::live_processes(folder);
  if (wished != 0) return wished;
  if (all.empty()) {
    return fail(Errc::not_found, "no program runs with the capture tool", kHowToStart);
  }
  if (all.size() > 1)
    return fail(Errc::ambiguous,
                fmt::format("several programs run with the capture tool: {}", fmt::join(all, ", ")),
                "name one: --pid N; info live tells more");
  return all.front();
}

Result<LiveRequest> request_of(Context& context, const LiveArgs& args) {
  const std::pair<std::string_view, LiveRequest::What> actions[] = {
      {"show", LiveRequest::What::status},
      {"arm", LiveRequest::What::arm},
      {"hold", LiveRequest::What::hold},
      {"go", LiveRequest::What::go},
      {"take", LiveRequest::What::take}};
  LiveRequest out{.what = std::ranges::find(actions, args.action,
                                            &std::pair<std::string_view, LiveRequest::What>::first)
                              ->second};
  const bool names_kernel =
      out.what == LiveRequest::What::arm || out.what == LiveRequest::What::hold;
  if (names_kernel && args.kernel.empty())
    return fail(Errc::usage, fmt::format("{} needs a kernel", args.action),
                fmt::format("capture live {} /./ takes any", args.action));
  if (!names_kernel && !args.kernel.empty())
    return fail(Errc::usage, fmt::format("{} takes no kernel", args.action));
  if (args.dispatch < 1 || args.longer_us < 0 || args.limit_mib < 0 || args.seconds < 1)
    return fail(Errc::usage, "--dispatch and --seconds count from 1, the others from 0");
  out.most = std::chrono::seconds(args.seconds);
  out.wish = {.kernel = args.kernel,
              .grid = {},
              .longer_us = static_cast<std::uint64_t>(args.longer_us),
              .dispatch = static_cast<std::uint64_t>(args.dispatch),
              .folder = args.output,
              .all_memory = args.scope == "all",
              .most_bytes = static_cast<std::uint64_t>(args.limit_mib) << 20};
  if (!args.grid.empty()) out.wish.grid = parse_grid(args.grid);
  if (!args.grid.empty() && !out.wish.grid)
    return fail(Errc::usage,
                fmt::format("--grid {} is not one to three numbers of work-items", args.grid),
                "--grid 1024,1,1");
  if (out.what != LiveRequest::What::arm && out.what != LiveRequest::What::take) return out;
  if (out.wish.folder.empty())
    out.wish.folder = TRY(numbered_folder(context.log(), "captures", Numbered::free));
  out.wish.folder = std::filesystem::absolute(out.wish.folder).string();
  std::error_code ignored;
  if (std::filesystem::exists(out.wish.folder, ignored))
    return fail(Errc::denied, fmt::format("{} exists already", out.wish.folder),
                "name another folder: -o DIR");
  return out;
}

std::string said(const LiveArgs& args, const LiveStatus& status, const LiveRequest& request) {
  switch (request.what) {
    case LiveRequest::What::arm:
      return fmt::format("process {} captures dispatch {} of those that '{}' names into {}",
                         status.report.pid, args.dispatch, args.kernel, request.wish.folder);
    case LiveRequest::What::hold:
      return fmt::format("process {} holds the next dispatch that '{}' names, for {} s at most",
                         status.report.pid, args.kernel, args.seconds);
    case LiveRequest::What::go:
      return fmt::format("process {} goes on", status.report.pid);
    case LiveRequest::What::take:
      return fmt::format("process {} captures the dispatch that it held into {}", status.report.pid,
                         request.wish.folder);
    case LiveRequest::What::status:
      break;
  }
  return {};
}

Result<Document> capture_live(Context& context, const LiveArgs& args) {
  const std::string folder = TRY(intercept::live_folder());
  const LiveRequest request = TRY(request_of(context, args));
  if (request.what == LiveRequest::What::status && args.pid == 0 &&
      intercept::live_processes(folder).empty())
    return nobody();
  const LiveStatus status = TRY(intercept::ask(folder, TRY(process_of(folder, args.pid)), request));
  Document out;
  out.set("pid", status.report.pid);
  out.set("runtime", status.report.runtime);
  out.set("wanted", Value::known(status.wish.kernel));
  out.set("dispatch", status.wish.dispatch);
  out.set("matches", status.report.matches);
  out.set("held", Value::known(held_text(status)));
  out.set("known_memory_bytes", status.report.tracked_bytes);
  out.set("capture", Value::known(status.report.folder));
  out.set("failure", Value::known(status.report.failure));
  for (const auto& [name, count] : status.report.dispatches)
    out.rows.push_back({Value(demangled(name)), Value(count)});
  std::ranges::stable_sort(
      out.rows, [](const Row& a, const Row& b) { return a[1].number() > b[1].number(); });
  if (const std::string text = said(args, status, request); !text.empty())
    out.notes.push_back(text);
  if (status.held) out.next = {"capture live take", "capture live go"};
  return out;
}

struct NoArgs {};

Result<Document> info_live(Context&, const NoArgs&) {
  const std::string folder = TRY(intercept::live_folder());
  Document out;
  for (const std::int64_t pid : intercept::live_processes(folder)) {
    const auto status = intercept::ask(folder, pid, {});
    if (!status) {
      out.notes.push_back(fmt::format("process {}: {}", pid, status.error().message));
      continue;
    }
    out.rows.push_back({Value(pid), Value(count_of(*status)), Value::known(status->wish.kernel),
                        Value(status->report.matches), Value::known(held_text(*status)),
                        Value::known(status->report.folder)});
  }
  if (out.rows.empty() && out.notes.empty()) return nobody();
  return out;
}

}  // namespace

void add_capture_live_commands(Registry& registry) {
  add(registry,
      command<NoArgs>(
          Command{
              .path = "info live",
              .chapter = Class::capture,
              .summary = "List programs that run with the capture tool.",
              .help = "Programs that `capture run --target local` started and that still run, of "
                      "this user.",
              .columns = {{"pid", Type::integer, Unit::none, "of the process"},
                          {"dispatches", Type::integer, Unit::count, "that it sent so far"},
                          {"wanted", Type::string, Unit::none,
                           "which kernels it is to capture; null for none"},
                          {"matches", Type::integer, Unit::count, "dispatches of these"},
                          {"held", Type::string, Unit::none,
                           "the dispatch that it holds back, and its grid"},
                          {"capture", Type::string, Unit::none, "the folder, once there is one"}},
              .scalar = "pid",
              .examples = {"info live"}},
          {}, info_live));
  using Args = LiveArgs;
  add(registry,
      command<Args>(
          Command{
              .path = "capture live",
              .chapter = Class::capture,
              .summary = "Ask a running program what it dispatches, and tell it what to capture.",
              .help = "`show` lists what the program dispatched so far. `arm KERNEL` has it "
                      "capture a dispatch that comes later, with the conditions of `capture "
                      "run`. `hold KERNEL` stops it at the next dispatch of such a kernel, before "
                      "that runs: then `take` captures it, and `go` lets it run. A "
                      "held dispatch goes on by itself after `--seconds`. The program must have "
                      "been started by `capture run --target local`; `capture run - "
                      "--target local -- ./app &` starts it and captures nothing by itself.",
              .fields = {{"pid", Type::integer, Unit::none, "of the process"},
                         {"runtime", Type::string, Unit::none,
                          "the HSA runtime's release and tables"},
                         {"wanted", Type::string, Unit::none,
                          "which kernels it is to capture; null for none"},
                         {"dispatch", Type::integer, Unit::count, "which of their dispatches"},
                         {"matches", Type::integer, Unit::count, "how many there were"},
                         {"held", Type::string, Unit::none,
                          "the dispatch that it holds back, and its grid in work-items"},
                         {"known_memory_bytes", Type::integer, Unit::bytes,
                          "all memory that the device can reach: the most that a capture takes "
                          "before the dispatch; --limit bounds it"},
                         {"capture", Type::string, Unit::none, "the folder, once there is one"},
                         {"failure", Type::string, Unit::none, "why there is none"}},
              .columns = {{"kernel", Type::kernel, Unit::none, "as in the source"},
                          {"count", Type::integer, Unit::count, "dispatches of it"}},
              .scalar = "pid",
              .examples = {"capture live show"}},
          {arg("action", &Args::action, "what to do").one_of({"show", "arm", "hold", "go", "take"}),
           arg("kernel", &Args::kernel,
               "of arm and hold: a part of its name, its mangled name, or a /regex/"),
           option("pid", &Args::pid, "the process, where there are several").named("N"),
           option("dispatch", &Args::dispatch,
                  "of arm: which of the matching dispatches from now on, counted from 1")
               .named("N"),
           option("grid", &Args::grid, "of arm: only dispatches of this grid, in work-items")
               .named("N"),
           option(
               "longer", &Args::longer_us,
               "of arm: only after the same kernel and grid took at least this many microseconds")
               .named("US"),
           option("output", &Args::output, "of arm and take: the capture's folder; must not exist")
               .or_letter('o')
               .named("DIR")
               .completes(Complete::file),
           option("scope", &Args::scope, "of arm and take: which memory")
               .one_of({"reachable", "all"}),
           option("limit", &Args::limit_mib, "of arm and take: MiB of memory at most; 0: no limit")
               .named("MIB"),
           option("seconds", &Args::seconds, "of hold: how long at most").named("S")},
          capture_live));
}

}  // namespace rpl
