// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "engine/capture/json_fields.h"
#include "engine/document/json_parse.h"
#include "engine/document/json_text.h"
#include "engine/intercept/live.h"

namespace rpl::intercept {
namespace {

constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::int64_t>::max();
constexpr std::pair<LiveRequest::What, std::string_view> kWhats[] = {
    {LiveRequest::What::status, "status"},
    {LiveRequest::What::arm, "arm"},
    {LiveRequest::What::hold, "hold"},
    {LiveRequest::What::go, "go"},
    {LiveRequest::What::take, "take"}};

Record wish_record(const CaptureWish& wish) {
  return {
      {"kernel", Value(wish.kernel)},
      {"dispatch", Value(wish.dispatch)},
      {"grid", Value(wish.grid ? fmt::format("{}", fmt::join(*wish.grid, ",")) : std::string())},
      {"longer_us", Value(wish.longer_us)},
      {"folder", Value(wish.folder)},
      {"all", Value(wish.all_memory)},
      {"limit", Value(wish.most_bytes)}};
}

Result<CaptureWish> read_wish(const JsonFields& fields) {
  CaptureWish out;
  out.kernel = TRY(fields.text("kernel"));
  out.dispatch = TRY(fields.number("dispatch", kAnyNumber));
  const std::string grid = TRY(fields.text("grid"));
  if (!grid.empty()) out.grid = parse_grid(grid);
  if (!grid.empty() && !out.grid) return fields.error("grid", "is not a grid");
  out.longer_us = TRY(fields.number("longer_us", kAnyNumber));
  out.folder = TRY(fields.text("folder"));
  out.all_memory = TRY(fields.flag("all"));
  out.most_bytes = TRY(fields.number("limit", kAnyNumber));
  return out;
}

Result<const Value*> field(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  if (found == nullptr)
    return fail(Errc::corrupt, fmt::format("the program's answer has no {}", key));
  return found;
}

}  // namespace

std::string request_json(const LiveRequest& request) {
  const auto* what = std::ranges::find(kWhats, request.what,
                                       &std::pair<LiveRequest::What, std::string_view>::first);
  return to_json(Value(Record{{"do", Value(what->second)},
                              {"wish", Value(wish_record(request.wish))},
                              {"seconds", Value(std::int64_t{request.most.count()})}}));
}

Result<LiveRequest> parse_request(std::string_view text) {
  const Value value = TRY(parse_json(text));
  const JsonFields fields = TRY(JsonFields::of(value, "request"));
  const std::string name = TRY(fields.text("do"));
  const auto* what =
      std::ranges::find(kWhats, name, &std::pair<LiveRequest::What, std::string_view>::second);
  if (what == std::end(kWhats)) return fields.error("do", "is nothing that can be asked");
  LiveRequest out{.what = what->first};
  out.wish = TRY(read_wish(TRY(JsonFields::of(*TRY(field(value, "wish")), "request: wish"))));
  out.most = std::chrono::seconds(TRY(fields.number("seconds", 1U << 30)));
  return out;
}

std::string status_json(const LiveStatus& status) {
  Record out{{"report", Value(report_json(status.report))},
             {"wish", Value(wish_record(status.wish))}};
  if (status.held) {
    out.emplace_back(
        "held", Value(Record{
                    {"kernel", Value(status.held->kernel)},
                    {"grid", Value(fmt::format("{}", fmt::join(status.held->grid, ",")))},
                    {"workgroup", Value(fmt::format("{}", fmt::join(status.held->workgroup, ",")))},
                    {"queue", Value(status.held->queue)}}));
  }
  return to_json(Value(std::move(out)));
}

std::string live_error_json(const Error& error) {
  return to_json(Value(Record{{"error", Value(error.message)},
                              {"code", Value(to_string(error.code))},
                              {"hint", Value(error.hint)}}));
}

Result<LiveStatus> parse_status(std::string_view text) {
  const Value value = TRY(parse_json(text));
  const JsonFields fields = TRY(JsonFields::of(value, "the program's answer"));
  if (fields.has("error"))
    return fail(errc_from_string(TRY(fields.text("code"))), TRY(fields.text("error")),
                TRY(fields.text("hint")));
  LiveStatus out;
  out.report = TRY(parse_report(TRY(fields.text("report"))));
  out.wish =
      TRY(read_wish(TRY(JsonFields::of(*TRY(field(value, "wish")), "the program's answer: wish"))));
  if (!fields.has("held")) return out;
  const JsonFields held =
      TRY(JsonFields::of(*TRY(field(value, "held")), "the program's answer: held"));
  SeenDispatch dispatch;
  dispatch.kernel = TRY(held.text("kernel"));
  const auto grid = parse_grid(TRY(held.text("grid"))),
             workgroup = parse_grid(TRY(held.text("workgroup")));
  if (!grid || !workgroup) return held.error("grid", "is not a grid");
  dispatch.grid = *grid;
  dispatch.workgroup = *workgroup;
  dispatch.queue = TRY(held.number("queue", kAnyNumber));
  out.held = std::move(dispatch);
  return out;
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
