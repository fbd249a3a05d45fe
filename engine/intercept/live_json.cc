// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "engine/document/json.h"
#include "engine/document/records.h"
#include "engine/intercept/live.h"

namespace rpl::intercept {
namespace {

using Sizes = std::array<std::uint32_t, 3>;

std::string sizes_text(const Sizes& sizes) { return fmt::format("{}", fmt::join(sizes, ",")); }

const char* read_sizes(const std::string& text, Sizes& sizes) {
  const auto read = parse_grid(text);
  if (read) sizes = *read;
  return read ? nullptr : "a size like 64,1,1";
}

constexpr std::string_view kWhats[] = {"status", "arm", "hold", "go", "take"};

constexpr auto kWish = bound_to<CaptureWish>(
    column<&CaptureWish::kernel>("kernel"), column<&CaptureWish::dispatch>("dispatch"),
    converted<&CaptureWish::grid,
              [](const std::optional<Sizes>& grid) { return grid ? sizes_text(*grid) : ""; },
              [](const std::string& text, std::optional<Sizes>& grid) -> const char* {
                return text.empty() ? nullptr : read_sizes(text, grid.emplace());
              }>("grid"),
    column<&CaptureWish::longer_us>("longer_us"), column<&CaptureWish::folder>("folder"),
    column<&CaptureWish::all_memory>("all"), column<&CaptureWish::most_bytes>("limit"));

constexpr auto kHeld = bound_to<SeenDispatch>(
    column<&SeenDispatch::kernel>("kernel"),
    converted<&SeenDispatch::grid, &sizes_text, &read_sizes>("grid"),
    converted<&SeenDispatch::workgroup, &sizes_text, &read_sizes>("workgroup"),
    column<&SeenDispatch::queue>("queue"));

}  // namespace

Columns<SeenDispatch> bound(const SeenDispatch*) { return kHeld; }

}  // namespace rpl::intercept

namespace rpl {
Columns<CaptureWish> bound(const CaptureWish*) { return intercept::kWish; }
}  // namespace rpl

namespace rpl::intercept {
namespace {

constexpr auto kRequest = bound_to<LiveRequest>(
    converted<&LiveRequest::what,
              [](LiveRequest::What what) { return kWhats[static_cast<std::size_t>(what)]; },
              [](const std::string& name, LiveRequest::What& what) {
                const auto* found = std::ranges::find(kWhats, name);
                what = static_cast<LiveRequest::What>(found - kWhats);
                return found != std::end(kWhats) ? nullptr : "something that can be asked";
              }>("do"),
    column<&LiveRequest::wish>("wish"),
    converted<&LiveRequest::most,
              [](std::chrono::seconds most) { return std::int64_t{most.count()}; },
              [](std::int64_t seconds, std::chrono::seconds& most) {
                most = std::chrono::seconds(seconds);
                return seconds >= 0 && seconds <= 1 << 30 ? nullptr : "seconds up to 2^30";
              }>("seconds"));

/// The report is a text of its own.
constexpr auto kStatus = bound_to<LiveStatus>(
    converted<&LiveStatus::report, &report_json,
              [](const std::string& text, Report& report) {
                auto read = parse_report(text);
                if (read) report = std::move(*read);
                return read ? nullptr : "a report of this version";
              }>("report"),
    column<&LiveStatus::wish>("wish"), column<&LiveStatus::held>("held").if_known());

constexpr auto kError =
    bound_to<Error>(column<&Error::message>("error"),
                    converted<&Error::code, [](Errc code) { return to_string(code); },
                              [](const std::string& name, Errc& code) -> const char* {
                                code = errc_from_string(name);
                                return nullptr;
                              }>("code"),
                    column<&Error::hint>("hint"));

}  // namespace

std::string request_json(const LiveRequest& request) {
  return to_json(to_value(kRequest, request));
}

Result<LiveRequest> parse_request(std::string_view text) {
  return from_value(kRequest, TRY(parse_json(text)), "request");
}

std::string status_json(const LiveStatus& status) { return to_json(to_value(kStatus, status)); }

std::string live_error_json(const Error& error) { return to_json(to_value(kError, error)); }

Result<LiveStatus> parse_status(std::string_view text) {
  constexpr std::string_view kPlace = "the program's answer";
  const Value value = TRY(parse_json(text));
  if (value.find("error") != nullptr) return Failure(TRY(from_value(kError, value, kPlace)));
  return from_value(kStatus, value, kPlace);
}

std::string answer(Trigger& trigger, const std::function<Report()>& report, std::string_view text) {
  const auto request = parse_request(text);
  if (!request) return live_error_json(request.error());
  rpl::Status done;
  switch (request->what) {
    case LiveRequest::What::status:
      break;
    case LiveRequest::What::arm:
      done = trigger.arm(request->wish);
      break;
    case LiveRequest::What::hold:
      done = trigger.hold_next(request->wish.kernel, request->most);
      break;
    case LiveRequest::What::go:
      done = trigger.let_go(std::nullopt);
      break;
    case LiveRequest::What::take:
      done = trigger.let_go(request->wish);
      break;
  }
  if (!done) return live_error_json(done.error());
  return status_json({.report = report(), .wish = trigger.wish(), .held = trigger.held()});
}

}  // namespace rpl::intercept
