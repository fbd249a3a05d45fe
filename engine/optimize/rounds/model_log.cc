// SPDX-License-Identifier: MIT
#include "engine/optimize/rounds/model_round.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/document/json.h"

namespace rpl {
namespace {

std::int64_t whole_in(const Value& record, std::string_view name) {
  const Value* field = record.find(name);
  const auto* value = field ? field->as<std::int64_t>() : nullptr;
  return value ? *value : 0;
}

std::string words_in(const Value& record, std::string_view name) {
  const Value* field = record.find(name);
  const auto* value = field ? field->as<std::string>() : nullptr;
  return value ? *value : "";
}

RefusedReply refusal_from(const Value& body) {
  RefusedReply out{.optimization = whole_in(body, "optimization"),
                   .strategy = words_in(body, "strategy"),
                   .reasons = {}};
  const Value* reasons = body.find("reasons");
  const auto* items = reasons ? reasons->as<List>() : nullptr;
  for (const Value& item : items ? *items : List{})
    out.reasons.push_back(
        {words_in(item, "rule"), words_in(item, "message"), whole_in(item, "line")});
  return out;
}

}  // namespace

void ModelLog::count(std::int64_t tokens, bool replayed) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50U;
  if (replayed) return;
  ++requests_;
  tokens_ =
      std::clamp<std::int64_t>(tokens_ + std::clamp<std::int64_t>(tokens, 0, kMost), 0, kMost);
}

Result<ModelLog> ModelLog::read(Session& session) {
  ModelLog out(session);
  for (const SessionEvent& event : TRY(session.events_of(SessionEventKind::model))) {
    const Value body = TRY(parse_json(event.body));
    if (words_in(body, "event") == "request") {
      const Value* replayed = body.find("replayed");
      const auto* flag = replayed ? replayed->as<bool>() : nullptr;
      constexpr std::int64_t kMost = std::int64_t{1} << 50U;
      out.count(std::clamp<std::int64_t>(whole_in(body, "input_tokens"), 0, kMost) +
                    std::clamp<std::int64_t>(whole_in(body, "output_tokens"), 0, kMost),
                flag && *flag);
    } else {
      out.refusals_.push_back(refusal_from(body));
    }
  }
  return out;
}

Status ModelLog::attempted(const llm::Attempt& attempt, const std::string& destination,
                           std::int64_t optimization) {
  const std::string how = attempt.replayed ? "replayed"
                          : attempt.trouble == llm::Trouble::none
                              ? "answered"
                              : std::string(to_string(attempt.trouble));
  TRY(session_->append(
      {.kind = SessionEventKind::model,
       .what = fmt::format("{} {}", destination, how),
       .body = Value(Record{{"event", "request"},
                            {"optimization", optimization},
                            {"destination", destination},
                            {"outcome", how},
                            {"status", attempt.status},
                            {"message", attempt.message},
                            {"waited_ms", static_cast<std::int64_t>(attempt.waited.count())},
                            {"input_tokens", attempt.input_tokens},
                            {"output_tokens", attempt.output_tokens},
                            {"estimated", attempt.estimated},
                            {"replayed", attempt.replayed},
                            {"dropped_parameter", Value::known(attempt.dropped)}})}));
  count(attempt.input_tokens + attempt.output_tokens, attempt.replayed);
  return {};
}

Status ModelLog::refused(const RefusedReply& reply, const std::string& request) {
  List reasons;
  for (const Reason& reason : reply.reasons)
    reasons.emplace_back(
        Record{{"rule", reason.rule}, {"message", reason.message}, {"line", reason.line}});
  TRY(session_->append(
      {.kind = SessionEventKind::model,
       .what =
           fmt::format("refused: {}", reply.reasons.empty() ? "" : reply.reasons.front().message),
       .body = Value(Record{{"event", "refused"},
                            {"optimization", reply.optimization},
                            {"request", request},
                            {"strategy", reply.strategy},
                            {"reasons", Value(std::move(reasons))}})}));
  refusals_.push_back(reply);
  return {};
}

}  // namespace rpl
