// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/optimize/store/application.h"
#include "engine/optimize/store/proposal.h"
#include "engine/store/session.h"

namespace rpl {

/// The optimizations and proposals of a session, as its event log tells them: the last record of each number is how it stands. Files are
/// written before the event that speaks of them, so that whatever a killed program reported is there.
class ProposalStore {
 public:
  /// The one that it keeps everything in.
  [[nodiscard]] Session& session() const { return *session_; }
  /// Reads what the session holds. The session must outlive the store.
  static Result<ProposalStore> read(Session& session);

  [[nodiscard]] const std::vector<Optimization>& optimizations() const { return optimizations_; }
  [[nodiscard]] const std::vector<Proposal>& proposals() const { return proposals_; }
  /// Which keys the records of earlier versions lack, each once: their defaults hold.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// The optimization that works now: the last one. Fails with not_found and how to begin.
  [[nodiscard]] Result<Optimization> current() const;
  [[nodiscard]] Result<Optimization> optimization(std::int64_t number) const;
  /// "p5" or "5". Fails with not_found, naming what there is.
  [[nodiscard]] Result<Proposal> proposal(std::string_view reference) const;
  /// The same; for "" the one under way, else the last one.
  [[nodiscard]] Result<Proposal> proposal_or_next(std::string_view reference) const;
  /// The proposal that the next step belongs to: of the current optimization, the first that is not decided; none when all are.
  [[nodiscard]] std::optional<Proposal> next_open() const;
  [[nodiscard]] std::vector<Proposal> of_current() const;
  /// Every record of every proposal that the session holds, in the order of writing.
  [[nodiscard]] Result<std::vector<Proposal>> records() const;
  /// The application that is being made faster: the last one. Fails with not_found and how to begin.
  [[nodiscard]] Result<Application> application() const;

  /// Gives a number and a folder to a new optimization or proposal (`number` and `folder` are filled in). Nothing is kept yet: write its
  /// files, then save() it. Two programs never get the same number.
  Status claim(Optimization& optimization);
  Status claim(Proposal& proposal);
  Status claim(Application& application);

  /// Appends how it stands now.
  Status save(const Optimization& optimization);
  Status save(const Proposal& proposal);
  Status save(const Application& application);

 private:
  explicit ProposalStore(Session& session) : session_(&session) {}
  Result<std::vector<Proposal>> read_records(std::vector<std::string>& notes) const;

  Session* session_;
  std::vector<Optimization> optimizations_;
  std::vector<Proposal> proposals_;
  std::vector<Application> applications_;
  std::vector<std::string> notes_;
};

}  // namespace rpl
