// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/optimize/loop/model_prompt.h"
#include "engine/optimize/model/client.h"
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

}  // namespace rpl
