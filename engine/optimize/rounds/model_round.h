// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/optimize/loop/loop.h"
#include "engine/optimize/model/client.h"
#include "engine/optimize/rounds/model_prompt.h"
#include "engine/store/session.h"

namespace rpl {

/// What a session knows of its language models: every request with its cost, every reply that was refused with the reasons. Keys are not in it.
class ModelLog {
 public:
  /// The session must outlive the log. Fails as Session::events_of() does.
  static Result<ModelLog> read(Session& session);

  /// A request that was sent, or a reply from a cassette, to `destination` about an optimization.
  Status attempted(const llm::Attempt& attempt, const std::string& destination,
                   std::int64_t optimization);
  /// A reply that became no proposal, or one that was rejected at once: `request` names the request.
  Status refused(const RefusedReply& reply, const std::string& request);

  [[nodiscard]] std::int64_t requests() const { return requests_; }
  [[nodiscard]] std::int64_t tokens() const { return tokens_; }
  [[nodiscard]] const std::vector<RefusedReply>& refusals() const { return refusals_; }

 private:
  explicit ModelLog(Session& session) : session_(&session) {}
  void count(std::int64_t tokens, bool replayed);

  Session* session_;
  std::int64_t requests_ = 0, tokens_ = 0;
  std::vector<RefusedReply> refusals_;
};

/// One reply of the model and what became of it.
struct ModelTry {
  std::string request;               ///< SHA-256 that names the request
  std::string strategy;              ///< in the model's words; may be empty
  std::optional<Proposal> proposal;  ///< none: the reply was refused
  std::vector<Reason> reasons;       ///< of the refusal, or of the guard's or the build's rejection
  std::int64_t requests = 0;         ///< sent for it, repetitions included
  bool replayed = false;
};

/// All that came of asking for one patch.
struct ModelRound {
  std::vector<ModelTry> tries;
  std::vector<StepReport> steps;     ///< of the proposals, guard and build
  std::optional<Proposal> proposal;  ///< that was built; none: no reply came so far
};

/// What a round works with. Borrowed.
struct ModelTools {
  llm::Client* client = nullptr;
  ModelLog* log = nullptr;
  /// Carries out one stage of a proposal.
  std::function<Result<StepReport>(Proposal)> step;
  Monitor monitor;
};

struct ModelQuestion {
  llm::PromptParts parts;
  std::string model;  ///< empty: that of the cassette
  std::optional<double> temperature;
  std::int64_t max_tokens = 8192;
};

/// Asks for one patch of the optimization's kernel. A reply that the guard refuses, that changes nothing, that was tried before or does not
/// compile goes back to the model with the reasons, twice at most; each that passes the guard becomes a proposal of origin "model". Fails as
/// Client::ask() and the stages do; what was done before that is in the session.
Result<ModelRound> ask_for_patch(const Optimization& optimization, const ModelQuestion& question,
                                 ProposalStore& store, const ModelTools& tools);

}  // namespace rpl
