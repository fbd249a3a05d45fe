// SPDX-License-Identifier: MIT
// Programs that run with the capture tool: what they dispatch, and telling them what to capture while they run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/text.h"
#include "engine/document/sorting.h"
#include "engine/intercept/live.h"
#include "shell/core/command/define.h"
#include "shell/core/session/folders.h"

namespace rpl {
namespace {

using intercept::LiveRequest;
using intercept::LiveStatus;
using intercept::Report;

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

constexpr BoundColumn kPid =
    column<&LiveStatus::report, &Report::pid>("pid", "of the process").in(Unit::none);
constexpr BoundColumn kWanted = column<&LiveStatus::wish, &CaptureWish::kernel>(
                                    "wanted", "which kernels it is to capture; null for none")
                                    .or_null();
constexpr BoundColumn kFolder =
    column<&LiveStatus::report, &Report::folder>("capture", "the folder, once there is one")
        .or_null();

constexpr auto kLiveFields = bound_to<LiveStatus>(
    kPid,
    column<&LiveStatus::report, &Report::runtime>("runtime",
                                                  "the HSA runtime's release and tables"),
    kWanted,
    column<&LiveStatus::wish, &CaptureWish::dispatch>("dispatch", "which of their dispatches"),
    column<&LiveStatus::report, &Report::matches>("matches", "how many there were"),
    column<&held_text>("held", "the dispatch that it holds back, and its grid in work-items")
        .or_null(),
    column<&LiveStatus::report, &Report::tracked_bytes>(
        "known_memory_bytes",
        "all memory that the device can reach: the most that a capture takes before the dispatch; "
        "--limit bounds it"),
    kFolder,
    column<&LiveStatus::report, &Report::failure>("failure", "why there is none").or_null());

constexpr auto kProcessColumns = bound_to<LiveStatus>(
    kPid, column<&count_of>("dispatches", "that it sent so far"), kWanted,
    column<&LiveStatus::report, &Report::matches>("matches", "dispatches of these"),
    column<&held_text>("held", "the dispatch that it holds back, and its grid").or_null(), kFolder);

struct DispatchedKernel {
  std::string kernel;
  std::uint64_t count = 0;
};

constexpr auto kDispatchedColumns = bound_to<DispatchedKernel>(
    column<&DispatchedKernel::kernel>("kernel", "as in the source").as(Type::kernel),
    column<&DispatchedKernel::count>("count", "dispatches of it").sortable());

constexpr const char* kHowToStart =
    "start one in the background: capture run - --target local -- ./app &";

Document nothing_captured() {
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

Result<LiveRequest> request_of(SessionLog& log, const LiveArgs& args) {
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
    return fail(Errc::usage, fmt::format("{} takes no kernel", args.action),
                fmt::format("capture live {}", args.action));
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
    out.wish.folder = TRY(numbered_folder(log, "captures", Numbered::free));
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

Result<Document> capture_live(const LiveArgs& args, SessionLog& log) {
  const std::string folder = TRY(intercept::live_folder());
  const LiveRequest request = TRY(request_of(log, args));
  if (request.what == LiveRequest::What::status && args.pid == 0 &&
      intercept::live_processes(folder).empty())
    return nothing_captured();
  const LiveStatus status = TRY(intercept::ask(folder, TRY(process_of(folder, args.pid)), request));
  Document out;
  out.put(kLiveFields, status);
  std::vector<DispatchedKernel> rows;
  for (const auto& [name, count] : status.report.dispatches)
    rows.push_back({demangled(name), count});
  sort_rows(rows, kDispatchedColumns, "count");
  out.table(kDispatchedColumns, rows);
  if (const std::string text = said(args, status, request); !text.empty())
    out.notes.push_back(text);
  if (status.held) out.next = {"capture live take", "capture live go"};
  return out;
}

Result<Document> info_live() {
  const std::string folder = TRY(intercept::live_folder());
  Document out;
  std::vector<LiveStatus> rows;
  for (const std::int64_t pid : intercept::live_processes(folder)) {
    auto status = intercept::ask(folder, pid, {});
    if (!status) {
      out.notes.push_back(fmt::format("process {}: {}", pid, status.error().message));
      continue;
    }
    rows.push_back(*std::move(status));
  }
  if (rows.empty() && out.notes.empty()) return nothing_captured();
  out.table(kProcessColumns, rows);
  return out;
}

}  // namespace

void add_capture_live_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "info live",
                  .does = kKeeps,
                  .chapter = Class::capture,
                  .summary = "List programs that run with the capture tool.",
                  .help =
                      "Programs that `capture run --target local` started and that still run, of "
                      "this user.",
                  .columns = described(kProcessColumns),
                  .scalar = "pid",
                  .examples = {"info live"}},
          info_live));
  add(registry,
      command(
          Command{
              .path = "capture live",
              .does = {Capability::read, Capability::session, Capability::run},
              .chapter = Class::capture,
              .summary = "Ask a running program what it dispatches, and tell it what to capture.",
              .help = "`show` lists what the program dispatched so far. `arm KERNEL` has it "
                      "capture a dispatch that comes later, with the conditions of `capture "
                      "run`. `hold KERNEL` stops it at the next dispatch of such a kernel, before "
                      "that runs: then `take` captures it, and `go` lets it run. A "
                      "held dispatch goes on by itself after `--seconds`. The program must have "
                      "been started by `capture run --target local`; `capture run - "
                      "--target local -- ./app &` starts it and captures nothing by itself.",
              .fields = described(kLiveFields),
              .columns = described(kDispatchedColumns),
              .scalar = "pid",
              .examples = {"capture live show"}},
          {arg("action", &LiveArgs::action, "what to do")
               .one_of({"show", "arm", "hold", "go", "take"}),
           arg("kernel", &LiveArgs::kernel,
               "of arm and hold: a part of its name, its mangled name, or a /regex/"),
           option("pid", &LiveArgs::pid, "the process, where there are several").named("N"),
           option("dispatch", &LiveArgs::dispatch,
                  "of arm: which of the matching dispatches from now on, counted from 1")
               .in(at_least(1))
               .named("N"),
           option("grid", &LiveArgs::grid, "of arm: only dispatches of this grid, in work-items")
               .named("N"),
           option(
               "longer", &LiveArgs::longer_us,
               "of arm: only after the same kernel and grid took at least this many microseconds")
               .in(at_least(0))
               .named("US"),
           option("output", &LiveArgs::output,
                  "of arm and take: the capture's folder; must not exist")
               .or_letter('o')
               .needs({Capability::write})
               .named("DIR")
               .completes(Complete::file),
           option("scope", &LiveArgs::scope, "of arm and take: which memory")
               .one_of({"reachable", "all"}),
           option("limit", &LiveArgs::limit_mib,
                  "of arm and take: MiB of memory at most; 0: no limit")
               .in(at_least(0))
               .named("MIB"),
           option("seconds", &LiveArgs::seconds, "of hold: how long at most")
               .in(at_least(1))
               .named("S")},
          capture_live));
}

}  // namespace rpl
