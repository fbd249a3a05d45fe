// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/optimize/model/cassette.h"
#include "engine/optimize/model/chat.h"
#include "engine/optimize/model/key.h"
#include "engine/optimize/model/reply.h"
#include "engine/optimize/model/transport.h"

namespace rpl::llm {

/// Time and chance, so that tests need not wait.
struct Clock {
  std::function<std::int64_t()> now_unix_s;
  /// Fails with interrupted on Ctrl-C.
  std::function<Status(std::chrono::milliseconds)> sleep;
  std::function<double()> random;  ///< uniform in [0, 1)
};
Clock real_clock();

struct RetryRule {
  int most = 4;      ///< requests after the first
  int most_cut = 2;  ///< of them after replies that had begun: those cost tokens
  std::chrono::milliseconds first{1'000}, longest{60'000};
  std::chrono::milliseconds longest_asked{
      300'000};  ///< a server that asks for more is not waited for
};

/// How long the server asks to wait: Retry-After in seconds or as an HTTP date, or retry-after-ms. Nothing: it does not say, or nonsense.
std::optional<std::chrono::milliseconds> asked_wait(const HttpReply& reply,
                                                    std::int64_t now_unix_s);

/// Before request `attempt` (1: the first repetition): full jitter, random × min(longest, first × 2^(attempt − 1)).
std::chrono::milliseconds back_off(int attempt, const RetryRule& rule, double random);

struct ClientConfig {
  std::string endpoint;  ///< base URL; empty: nothing is ever sent
  Dialect dialect = Dialect::chat;
  KeySource key;
  std::string key_header;  ///< name of the header for the key; empty: the dialect's
  bool allow_http = false;
  bool consent = false;  ///< the user agreed that source is sent there
  HttpLimits limits = {};
  RetryRule retry = {};
  std::string cassette;  ///< path; needed unless `mode` is off
  CassetteMode mode = CassetteMode::off;
};

/// What may be spent, and what was.
struct Budget {
  std::int64_t most_requests = 0, most_tokens = 0;
  std::int64_t requests = 0, tokens = 0;  ///< so far
};

/// One request that was sent, or one reply from the cassette.
struct Attempt {
  Trouble trouble = Trouble::none;
  int status = 0;                       ///< of HTTP; 0: none came
  std::string message = {};             ///< about the trouble; never holds the key
  std::chrono::milliseconds waited{0};  ///< before it
  std::int64_t input_tokens = 0, output_tokens = 0;
  bool estimated = false;  ///< the server did not count: a quarter of the bytes
  bool replayed = false;
  std::string dropped =
      {};  ///< the parameter that the server refused, when the next request goes without it
};

struct Exchange {
  std::string key;  ///< names the request: SHA-256
  std::vector<Attempt> attempts;
  ChatReply reply;
};

/// Asks a model: through the cassette, or over the network within limits, budget and consent, again where that may help.
class Client {
 public:
  /// `transport` and `clock` are borrowed. `on_attempt` is told of every request as it ends, so that a log knows of all; its failure ends the work.
  struct Borders {
    Transport* transport = nullptr;
    Clock clock;
    std::function<Status(const Attempt&)> on_attempt;
  };
  /// Fails as check_endpoint and Cassette::open do, with missing_capability when there is neither endpoint nor replay, and with denied when there
  /// is no consent. Reads no key yet.
  static Result<Client> make(ClientConfig config, Budget budget, Borders borders);

  /// One reply. An empty model is that of the cassette. Fails with what went wrong at last: timeout, interrupted, denied (key), limit (budget,
  /// size), corrupt (cut, malformed), io (network, server), not_found (cassette), usage (400). No message holds the key.
  Result<Exchange> ask(ChatRequest request, const Monitor& monitor);

  [[nodiscard]] const Budget& budget() const { return budget_; }
  /// "https://api.example.com:443", or the cassette's path.
  [[nodiscard]] std::string destination() const;

 private:
  Client(ClientConfig config, Budget budget, Borders borders);
  [[nodiscard]] bool replays() const {
    return config_.mode == CassetteMode::replay || config_.mode == CassetteMode::automatic;
  }
  Result<Exchange> replay(const Recording& recording, Exchange exchange);
  Result<Exchange> send(const ChatRequest& request, const Record& canonical, Exchange exchange,
                        const Monitor& monitor);
  Status check_budget() const;
  HttpRequest http_request(const Record& body) const;
  ReplyOrProblem post(const Record& body, Attempt& attempt, HttpReply& raw, const Monitor& monitor);
  Status account(Attempt& attempt, std::size_t sent_bytes, const ReplyOrProblem& outcome);
  /// How long to wait before trying again; nothing: do not.
  std::optional<std::chrono::milliseconds> pause(const Problem& problem, const HttpReply& raw,
                                                 int repeated, int cut) const;

  ClientConfig config_;
  Budget budget_;
  Borders borders_;
  std::string origin_;
  std::optional<Cassette> cassette_;
  std::optional<std::string> key_;
  std::map<std::string, std::set<std::string>> dropped_;  ///< by model: parameters that it refused
};

/// The reply that a body holds: a stream, or one document when the content type says so.
ReplyOrProblem reply_in(Dialect dialect, const std::string& content_type, std::string_view body);

}  // namespace rpl::llm
