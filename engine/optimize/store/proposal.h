// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/capture/fusion_plan.h"
#include "engine/capture/launch_plan.h"
#include "engine/document/document.h"

namespace rpl {

/// The stages of the optimization loop in order.
enum class Stage {
  // Of a kernel.
  profile,
  select,
  propose,
  // Of each of its proposals.
  guard,
  build,
  screen,
  verify,
  measure,
  decide,
  again,  ///< measures the best of several with fresh samples
  // Of an application; between `capture` and `confirm` come those of the kernel.
  application,
  target,
  capture,
  round,
  confirm,
  end,
  person,  ///< no stage: a person rejected the proposal
};
/// The name that people type and sessions hold: "profile".
std::string_view to_string(Stage stage);
bool from_text(std::string_view name, Stage& stage);

/// How far a proposal has come. `accepted` is proven; `approved` is written to the user's file.
enum class ProposalState {
  proposed,
  guarded,
  built,
  screened,
  verified,
  measured,
  accepted,
  rejected,
  approved,
  reverted,
};
std::string_view to_string(ProposalState state);
bool from_text(std::string_view name, ProposalState& state);

/// One reason for a rejection.
struct Reason {
  std::string rule;       ///< stable name: "wrong-values"
  std::string message;    ///< a sentence with place and numbers
  std::int64_t line = 0;  ///< of the candidate source; 0: none
};

/// A kernel that is to become faster: where its source is, and a frozen dispatch that says what it must compute. The baseline of its proposals.
struct Optimization {
  std::int64_t number = 0;  ///< 1, 2, …
  std::string kernel;       ///< as in the capture
  std::string source;       ///< absolute path of the user's file
  std::vector<std::string>
      source_versions;  ///< SHA-256 of what that file may hold: the text that all began with, and every accepted change on the way here
  std::int64_t parent =
      0;  ///< number of the accepted proposal whose text is the base; 0: the user's file as it was
  std::string capture;  ///< absolute path of the folder
  std::string architecture;
  std::vector<std::string> flags;  ///< for the compiler
  LaunchPlan launch;  ///< of the base, where accepted changes have changed it since the capture
  std::string
      folder;  ///< absolute, in the session's folder wherever that is now; holds base.hip and base.co
  Stage reached = Stage::profile;  ///< the last stage carried out: profile, select or propose
  Record profile;                  ///< what running the baseline gave

  [[nodiscard]] std::string id() const { return "o" + std::to_string(number); }
  [[nodiscard]] std::string base_source() const { return folder + "/base.hip"; }
  [[nodiscard]] std::string base_object() const { return folder + "/base.co"; }
};

/// One change to one kernel, with everything that is known about it.
struct Proposal {
  std::int64_t number = 0;        ///< 1, 2, …; shown as p1
  std::int64_t optimization = 0;  ///< which one it belongs to
  std::string origin;             ///< "rule", "edit" or "file"
  std::string rule;               ///< of a rule: "loop-unroll"
  std::string title, why;
  bool bit_exact = false;  ///< results must be equal to the last bit
  std::string
      header_edit;  ///< of a rule: the change of the kernel's header, as to_text(HeaderEdit) writes it; else ""
  std::string assumes;  ///< of a rule: what only captured launches prove; "" when it holds always
  std::vector<std::string> flags;  ///< for the compiler, behind those of the optimization
  LaunchPlan
      launch;  ///< how it is launched, seen from the capture: as its optimization, or otherwise
  FusionPlan
      fusion;  ///< where one dispatch of it takes the place of the captured first two; else empty
  std::string folder;  ///< as above; holds candidate.hip, patch.diff, candidate.co
  ProposalState state = ProposalState::proposed;
  std::optional<Stage> decided_at;  ///< the stage that rejected it
  std::vector<Reason> reasons;      ///< of the rejection
  Record evidence;                  ///< by stage, what it found
  Record
      hashes;  ///< SHA-256 of what was judged: base, candidate, object, evidence; and of the file before an approval. Empty in records of earlier versions

  [[nodiscard]] std::string id() const { return "p" + std::to_string(number); }
  [[nodiscard]] std::string optimization_id() const { return "o" + std::to_string(optimization); }
  [[nodiscard]] std::string candidate_source() const { return folder + "/candidate.hip"; }
  [[nodiscard]] std::string candidate_object() const { return folder + "/candidate.co"; }
  [[nodiscard]] std::string patch() const { return folder + "/patch.diff"; }
  [[nodiscard]] std::string backup() const { return folder + "/before-approval.hip"; }
  /// The name of decided_at; "" for none.
  [[nodiscard]] std::string_view decided_by() const {
    return decided_at ? to_string(*decided_at) : "";
  }
  /// Whether a stage may still follow.
  [[nodiscard]] bool open() const { return state < ProposalState::accepted; }
};

/// What the session keeps of each: one record.
Columns<Reason> bound(const Reason*);
Columns<Optimization> bound(const Optimization*);
Columns<Proposal> bound(const Proposal*);
/// Reads that of earlier versions, too. Fails with corrupt, naming the field: the database may have been written by anyone.
Result<Optimization> optimization_from(const Value& value,
                                       std::vector<std::string>* notes = nullptr);

/// A field that a stage kept in the evidence, or null.
const Value* value_in(const Record& evidence, std::string_view stage, std::string_view field);
/// A number of the evidence: number_in(p.evidence, "measure", "ratio").
std::optional<double> number_in(const Record& evidence, std::string_view stage,
                                std::string_view field);
std::string text_in(const Record& evidence, std::string_view stage, std::string_view field);
/// Sets or replaces a named value.
void put(Record& record, std::string_view name, Value value);

}  // namespace rpl
