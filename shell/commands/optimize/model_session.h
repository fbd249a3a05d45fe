// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/document/bound.h"
#include "engine/optimize/rounds/model_round.h"
#include "shell/core/inputs/open_loop.h"

namespace rpl {

/// What a command says over the settings.
struct ModelChoice {
  std::string model;                  ///< empty: `set llm model`
  std::optional<double> temperature;  ///< none: `set llm temperature`
};

/// A language model as the settings describe it, within the budget of the current session.
class ModelSession {
 public:
  /// Asks a person at the prompt for consent, once for each endpoint. Fails as Client::make() does; nothing is sent yet.
  static Result<std::unique_ptr<ModelSession>> open(const Optimizer& optimizer,
                                                    const ModelChoice& choice);
  ModelSession(const ModelSession&) = delete;
  ModelSession& operator=(const ModelSession&) = delete;

  /// Asks for one patch of the current optimization, see ask_for_patch(): another kind of change than those `beside` it, which are not decided yet.
  Result<ModelRound> ask(OptimizationLoop& loop, const std::vector<Proposal>& beside = {});

  /// Where the questions go: an origin, or the cassette.
  [[nodiscard]] std::string destination() const;
  [[nodiscard]] std::int64_t requests() const { return log_.requests(); }
  [[nodiscard]] std::int64_t tokens() const { return log_.tokens(); }

 private:
  ModelSession(const Inputs& inputs, ModelLog log, ModelChoice choice);

  Inputs inputs_;
  ModelLog log_;
  ModelChoice choice_;
  std::unique_ptr<llm::Transport> transport_;
  std::optional<llm::Client> client_;
  std::int64_t optimization_ = 0;
};

inline constexpr auto kSpentFields = bound_to<ModelSession>(
    column<&ModelSession::requests>("session_requests", "that this session has sent so far"),
    column<&ModelSession::tokens>("session_tokens", "that it used so far"));

/// A reply of a language model; one shape for `propose llm` and `llm-optimize`.
struct Reply {
  std::size_t number = 0;  ///< 1, 2, …
  ModelTry attempt;
  std::string outcome;

  /// The first one against it; empty for none.
  [[nodiscard]] std::string reason() const;
};

inline constexpr auto kReplyColumns = bound_to<Reply>(
    column<&Reply::number>("reply", "1, 2, …").in(Unit::none),
    column<&Reply::attempt, &ModelTry::proposal, &Proposal::id>("proposal",
                                                                "what it became; null: nothing")
        .as(Type::id),
    column<&Reply::outcome>("outcome",
                            "refused, rejected by a stage, or how far the proposal came"),
    column<&Reply::attempt, &ModelTry::strategy>("strategy", "in the model's words").or_null(),
    column<&Reply::reason>("reason", "the first reason against it").or_null(),
    column<&Reply::attempt, &ModelTry::requests>(
        "requests", "sent for it, repetitions included; 0: from the cassette")
        .if_room(),
    column<&Reply::attempt, &ModelTry::request>("request", "SHA-256 of the question").never());

/// Adds those of a round.
void add_replies(const ModelRound& round, std::vector<Reply>& replies);
/// A line for each reply from the `first` on, counted from 0, and for each reason against it.
std::string reply_lines(const std::vector<Reply>& replies, std::size_t first = 0);

/// The hottest lines of a kernel by the thread trace or PC samples of it that are open, for a prompt: by the current trace where that is of it, else by the last opened; empty without one.
/// `source` is the text as it is now, of the file `file`. Fails as reading it does.
Result<std::vector<llm::PromptFact>> open_hot_lines(const Workspace& workspace,
                                                    const std::string& kernel,
                                                    const std::string& source,
                                                    const std::string& file);
/// What a model is told of the optimization under way. Fails as prompt_of() does.
Result<llm::PromptParts> current_prompt(const Inputs& inputs, const Optimization& current,
                                        const ProposalStore& store, const ModelLog& log,
                                        PromptExtent extent);

/// The GPU that an optimization is about: `set emu gpu`, the one that its times were modelled for, or its architecture.
std::string gpu_of(const Settings& settings, const Optimization& optimization);
/// What is known of the GPU with this name or architecture, for a prompt; empty when it is not known.
std::vector<llm::PromptFact> hardware_facts(const Inputs& inputs, const std::string& name);

}  // namespace rpl
