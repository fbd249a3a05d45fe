// SPDX-License-Identifier: MIT
#include "engine/optimize/model/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <random>
#include <thread>

#include "engine/base/entropy.h"
#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/document/json.h"
#include "engine/optimize/model/dialect.h"

namespace rpl::llm {
namespace {

constexpr int kFirstRedirect = 300, kFirstClientError = 400, kUnauthorized = 401, kForbidden = 403,
              kRequestTimeout = 408, kConflict = 409, kTooManyRequests = 429,
              kFirstServerError = 500;

bool is_document(const std::string& content_type) {
  return content_type.starts_with("application/json");
}

/// What a status other than 200 means.
Problem problem_of_status(const HttpReply& raw) {
  const std::string said = error_text(raw.body);
  const std::string sentence =
      fmt::format("status {}{}{}", raw.status, said.empty() ? "" : ": ", said);
  if (raw.status >= kFirstRedirect && raw.status < kFirstClientError) {
    return {Trouble::redirect,
            sentence + ", a redirect; it is not followed, because source and key would go there",
            false};
  }
  if (raw.status == kUnauthorized || raw.status == kForbidden)
    return {Trouble::key_refused, sentence, false};
  if (raw.status == kTooManyRequests) return {Trouble::rate_limit, sentence, true};
  if (raw.status == kRequestTimeout || raw.status == kConflict || raw.status >= kFirstServerError)
    return {Trouble::server_fault, sentence, true};
  return {Trouble::bad_request, sentence, false};
}

Error error_of(const Problem& problem, const std::string& destination, std::size_t requests) {
  const std::string times = requests > 1 ? fmt::format(" (after {} requests)", requests) : "";
  const std::string message = fmt::format("{}: {}{}", destination, problem.message, times);
  switch (problem.trouble) {
    case Trouble::timeout:
      return {Errc::timeout, message, "'set llm timeout SECONDS' waits longer"};
    case Trouble::interrupted:
      return {Errc::interrupted, "interrupted"};
    case Trouble::key_refused:
      return {Errc::denied, message,
              "check llm key-env, llm key-file or llm key-command, and llm key-header"};
    case Trouble::redirect:
      return {Errc::denied, message, "'set llm endpoint' takes the address that answers itself"};
    case Trouble::oversize:
      return {Errc::limit, message, "'set llm max-tokens' bounds replies"};
    case Trouble::bad_request:
      return {Errc::usage, message, "check llm endpoint, llm dialect and llm model"};
    case Trouble::cut_stream:
    case Trouble::malformed:
      return {Errc::corrupt, message, "check llm dialect"};
    default:
      return {Errc::io, message, "try again later"};
  }
}

std::int64_t quarter(std::size_t bytes) { return static_cast<std::int64_t>(bytes / 4); }

/// The model of a recording, for those who have none of their own.
std::string model_of(const Cassette& cassette) {
  if (cassette.recordings().empty()) return "";
  const Value request(cassette.recordings().front().request);
  const Value* model = request.find("model");
  const auto* name = model ? model->as<std::string>() : nullptr;
  return name ? *name : "";
}

}  // namespace

ReplyOrProblem reply_in(Dialect dialect, const std::string& content_type, std::string_view body) {
  if (is_document(content_type)) return read_reply(dialect, body);
  StreamedReply reply(dialect);
  // In pieces, as a network cuts them: replaying goes the same way as receiving.
  constexpr std::size_t kPiece = 61;
  for (std::size_t at = 0; at < body.size() && reply.feed(body.substr(at, kPiece)); at += kPiece) {
  }
  return reply.finish();
}

Client::Client(ClientConfig config, Budget budget, Borders borders)
    : config_(std::move(config)), budget_(budget), borders_(std::move(borders)) {}

Result<Client> Client::make(ClientConfig config, Budget budget, Borders borders) {
  Client out(std::move(config), budget, std::move(borders));
  const ClientConfig& set = out.config_;
  if (set.mode != CassetteMode::off) {
    if (set.cassette.empty())
      return fail(Errc::usage, fmt::format("cassette mode {} needs a file", to_string(set.mode)),
                  "'set llm cassette FILE'");
    out.cassette_ = TRY(Cassette::open(set.cassette, set.mode));
  }
  if (set.mode == CassetteMode::replay) {
    if (!out.cassette_->recordings().empty())
      out.config_.dialect = out.cassette_->recordings().front().dialect;
    return out;
  }
  if (set.endpoint.empty()) {
    return fail(
        Errc::missing_capability, "no language model is set up",
        "'set llm endpoint URL' names one; docs/language-models.md tells how, also without one");
  }
  out.origin_ = TRY(check_endpoint(set.endpoint, set.allow_http)).origin;
  if (!set.consent) {
    return fail(Errc::denied, fmt::format("the kernel's source would be sent to {}", out.origin_),
                "'set llm consent on' agrees; 'prompt' shows what would be sent");
  }
  return out;
}

std::string Client::destination() const { return origin_.empty() ? config_.cassette : origin_; }

Result<Exchange> Client::ask(ChatRequest request, const Monitor& monitor) {
  if (request.model.empty() && cassette_ && replays()) request.model = model_of(*cassette_);
  if (request.model.empty()) return fail(Errc::usage, "no model is named", "'set llm model NAME'");
  // The request as it is meant: what one server would not take is not part of its name.
  const Record canonical =
      canonical_request(config_.dialect, request_body(config_.dialect, request, {}));
  Exchange exchange{.key = request_key(canonical), .attempts = {}, .reply = {}};
  const Recording* recording = cassette_ && replays() ? cassette_->next(exchange.key) : nullptr;
  if (recording) return replay(*recording, std::move(exchange));
  if (config_.mode == CassetteMode::replay) return Failure(cassette_->missing(canonical));
  if (!key_) key_ = TRY(read_key(config_.key));
  return send(request, canonical, std::move(exchange), monitor);
}

Result<Exchange> Client::replay(const Recording& recording, Exchange exchange) {
  const ReplyOrProblem outcome =
      reply_in(recording.dialect, recording.content_type, recording.body);
  if (const auto* problem = std::get_if<Problem>(&outcome)) {
    return Failure(Error(Errc::corrupt, problem->message)
                       .in(fmt::format("{}:{}", cassette_->path(), recording.line)));
  }
  exchange.reply = std::get<ChatReply>(outcome);
  constexpr int kOk = 200;
  exchange.attempts.push_back({.status = kOk, .replayed = true});
  TRY(borders_.on_attempt(exchange.attempts.back()));
  return exchange;
}

Status Client::check_budget() const {
  if (budget_.requests >= budget_.most_requests) {
    return fail(
        Errc::limit,
        fmt::format("the session's {} requests to a model are used up", budget_.most_requests),
        "'set llm max-requests N' allows more");
  }
  if (budget_.tokens >= budget_.most_tokens) {
    return fail(Errc::limit,
                fmt::format("the session has used {} tokens, {} are allowed", budget_.tokens,
                            budget_.most_tokens),
                "'set llm token-budget N' allows more");
  }
  return {};
}

HttpRequest Client::http_request(const Record& body) const {
  HttpRequest out{.url = request_url(config_.dialect, config_.endpoint),
                  .headers = further_headers(config_.dialect),
                  .body = to_json(Value(body)),
                  .limits = config_.limits};
  out.headers.emplace_back("Content-Type: application/json");
  out.headers.emplace_back("Accept: text/event-stream, application/json");
  if (!key_->empty()) out.headers.push_back(key_header(config_.dialect, config_.key_header, *key_));
  return out;
}

ReplyOrProblem Client::post(const Record& body, Attempt& attempt, HttpReply& raw,
                            const Monitor& monitor) {
  StreamedReply streamed(config_.dialect);
  monitor.report("asking the model", 0, 0);
  raw = borders_.transport->post(
      http_request(body),
      [&](std::string_view bytes, const HttpReply& so_far) {
        return is_document(so_far.content_type) || streamed.feed(bytes);
      },
      monitor);
  attempt.status = raw.status;
  constexpr int kOk = 200;
  // An error inside the stream explains a connection that broke behind it.
  ReplyOrProblem outcome = raw.status != kOk               ? ReplyOrProblem(problem_of_status(raw))
                           : is_document(raw.content_type) ? read_reply(config_.dialect, raw.body)
                                                           : streamed.finish();
  auto* found = std::get_if<Problem>(&outcome);
  const bool explained =
      found && (found->trouble == Trouble::stream_error || (raw.status != 0 && raw.status != kOk));
  if (raw.problem && !explained) outcome = *raw.problem;
  if (auto* problem = std::get_if<Problem>(&outcome)) {
    problem->message = without_key(problem->message, *key_);
    attempt.trouble = problem->trouble;
    attempt.message = problem->message;
  } else {
    auto& reply = std::get<ChatReply>(outcome);
    reply.text = without_key(reply.text, *key_);
  }
  return outcome;
}

Status Client::account(Attempt& attempt, std::size_t sent_bytes, const ReplyOrProblem& outcome) {
  ++budget_.requests;
  if (const auto* reply = std::get_if<ChatReply>(&outcome)) {
    attempt.estimated = !reply->tokens.input || !reply->tokens.output;
    attempt.input_tokens = reply->tokens.input.value_or(quarter(sent_bytes));
    attempt.output_tokens = reply->tokens.output.value_or(quarter(reply->text.size()));
  } else if (attempt.trouble == Trouble::cut_stream || attempt.trouble == Trouble::stream_error ||
             attempt.trouble == Trouble::oversize) {
    // A reply that had begun was paid for, although nobody says how much.
    attempt.estimated = true;
    attempt.input_tokens = quarter(sent_bytes);
  }
  // Foreign counts: no sum of them may overflow.
  constexpr std::int64_t kMost = std::int64_t{1} << 40U;
  budget_.tokens = std::min(kMost, budget_.tokens + std::min(kMost, attempt.input_tokens) +
                                       std::min(kMost, attempt.output_tokens));
  return borders_.on_attempt(attempt);
}

std::optional<std::chrono::milliseconds> Client::pause(const Problem& problem, const HttpReply& raw,
                                                       int repeated, int cut) const {
  if (!problem.again || repeated >= config_.retry.most || cut > config_.retry.most_cut)
    return std::nullopt;
  const auto asked = asked_wait(raw, borders_.clock.now_unix_s());
  if (asked) return *asked <= config_.retry.longest_asked ? asked : std::nullopt;
  return back_off(repeated + 1, config_.retry, borders_.clock.random());
}

Result<Exchange> Client::send(const ChatRequest& request, const Record& canonical,
                              Exchange exchange, const Monitor& monitor) {
  int repeated = 0, cut = 0;
  std::chrono::milliseconds waited{0};
  std::set<std::string>& dropped = dropped_[request.model];
  for (;;) {
    TRY(interrupt::check());
    TRY(check_budget());
    const Record body = request_body(config_.dialect, request, dropped);
    Attempt attempt{.waited = waited};
    HttpReply raw;
    const ReplyOrProblem outcome = post(body, attempt, raw, monitor);
    const auto* problem = std::get_if<Problem>(&outcome);
    const std::string refused =
        problem && raw.status == kFirstClientError ? refused_parameter(body, raw.body) : "";
    attempt.dropped = refused;
    TRY(account(attempt, to_json(Value(body)).size(), outcome));
    exchange.attempts.push_back(attempt);
    if (!problem) {
      exchange.reply = std::get<ChatReply>(outcome);
      if (!cassette_) return exchange;
      TRY(cassette_->append({.key = exchange.key,
                             .dialect = config_.dialect,
                             .request = canonical,
                             .content_type = raw.content_type,
                             .body = without_key(raw.body, *key_)}));
      return exchange;
    }
    // Once for each parameter: it is not in the next body.
    if (!refused.empty() && dropped.insert(refused).second) continue;
    cut += problem->trouble == Trouble::cut_stream || problem->trouble == Trouble::malformed ||
                   problem->trouble == Trouble::stream_error
               ? 1
               : 0;
    const auto wait = pause(*problem, raw, repeated++, cut);
    if (!wait) return Failure(error_of(*problem, origin_, exchange.attempts.size()));
    monitor.report(fmt::format("waiting: {}", to_string(problem->trouble)), 0, 0);
    TRY(borders_.clock.sleep(*wait));
    waited = *wait;
  }
}

namespace {

using std::chrono::milliseconds;

std::optional<double> plain_number(const std::string& text) {
  const auto value = whole_number<double>(text);
  constexpr double kMost = 1e9;
  return value && *value >= 0 && *value <= kMost ? value : std::nullopt;
}

Status sleep_in_slices(milliseconds whole) {
  constexpr milliseconds kSlice{50};
  const auto until = std::chrono::steady_clock::now() + whole;
  for (auto now = std::chrono::steady_clock::now(); now < until;
       now = std::chrono::steady_clock::now()) {
    TRY(interrupt::check());
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(kSlice, until - now));
  }
  return interrupt::check();
}

}  // namespace

Clock real_clock() {
  const auto engine = std::make_shared<std::mt19937_64>(system_entropy());
  return {.now_unix_s = [] { return static_cast<std::int64_t>(std::time(nullptr)); },
          .sleep = sleep_in_slices,
          .random = [engine] { return std::uniform_real_distribution<double>(0, 1)(*engine); }};
}

std::optional<milliseconds> asked_wait(const HttpReply& reply, std::int64_t now_unix_s) {
  constexpr double kPerSecond = 1000;
  if (const auto ms = plain_number(reply.retry_after_ms))
    return milliseconds(static_cast<std::int64_t>(*ms));
  if (const auto seconds = plain_number(reply.retry_after))
    return milliseconds(static_cast<std::int64_t>(*seconds * kPerSecond));
  if (reply.retry_after.empty()) return std::nullopt;
  const auto date = http_date(reply.retry_after);
  if (!date) return std::nullopt;
  return milliseconds(std::max<std::int64_t>(0, *date - now_unix_s) * 1000);
}

milliseconds back_off(int attempt, const RetryRule& rule, double random) {
  milliseconds ceiling = rule.first;
  for (int i = 1; i < attempt && ceiling < rule.longest; ++i) ceiling *= 2;
  ceiling = std::min(ceiling, rule.longest);
  return milliseconds(static_cast<std::int64_t>(random * static_cast<double>(ceiling.count())));
}

}  // namespace rpl::llm
