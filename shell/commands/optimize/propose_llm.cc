// SPDX-License-Identifier: MIT
// propose llm: asks a language model for one patch.
#include <fmt/format.h>

#include "shell/commands/optimize/loop_document.h"
#include "shell/commands/optimize/model_session.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace {

struct ProposeLlmArgs {
  std::string model;
  std::optional<double> temperature;
};

std::string reply_outcome(const ModelTry& attempt) {
  if (!attempt.proposal) return "refused";
  std::string out(to_string(attempt.proposal->state));
  if (attempt.proposal->decided_at) out += fmt::format(" by {}", attempt.proposal->decided_by());
  return out;
}

}  // namespace

std::string Reply::reason() const {
  if (attempt.reasons.empty()) return "";
  return attempt.reasons.front().rule + ": " + attempt.reasons.front().message;
}

void add_replies(const ModelRound& round, std::vector<Reply>& replies) {
  for (const ModelTry& attempt : round.tries)
    replies.push_back({replies.size() + 1, attempt, reply_outcome(attempt)});
}

std::string reply_lines(const std::vector<Reply>& replies, std::size_t first) {
  std::string out;
  for (; first < replies.size(); ++first) {
    const auto& [number, attempt, outcome] = replies[first];
    out += fmt::format("reply {:<5} {:<4} {}{}{}\n", number,
                       attempt.proposal ? attempt.proposal->id() : "", outcome,
                       attempt.strategy.empty() ? "" : ": ", attempt.strategy);
    for (const Reason& reason : attempt.reasons)
      out += fmt::format("{:<16} {}: {}\n", "", reason.rule, reason.message);
  }
  return out;
}

namespace {

/// What was asked, and what came of it.
struct Asked {
  const Optimization* optimization = nullptr;
  const ModelSession* model = nullptr;
  std::optional<Proposal> proposal;
};

constexpr auto kAskedFields = bound_to<Asked>(
    column<&Asked::optimization, &Optimization::id>("optimization", "what it is to make faster")
        .as(Type::id),
    column<&Asked::model, &ModelSession::destination>("destination",
                                                      "the server that was asked, or the cassette"),
    column<&Asked::proposal, &Proposal::id>("proposal", "that was built; null: none").as(Type::id),
    column<&Asked::proposal, &Proposal::state>("state", "its state"),
    through<kSpentFields, &Asked::model>());

Result<Document> propose_by_model(const ProposeLlmArgs& args, Optimizer optimizer) {
  OpenLoop open = TRY(open_loop(optimizer));
  const Optimization current = TRY(open.store->current());
  const auto model = TRY(ModelSession::open(optimizer, {args.model, args.temperature}));
  const ModelRound round = TRY(model->ask(open.loop));
  std::vector<Reply> replies;
  add_replies(round, replies);
  Document out;
  out.put(kAskedFields, Asked{&current, model.get(), round.proposal});
  out.table(kReplyColumns, replies);
  out.text = reply_lines(replies);
  if (round.proposal) {
    out.next = {"finish " + round.proposal->id(), "info proposal " + round.proposal->id()};
  } else {
    out.exit_code = kNothingAccepted;
    out.next = {"prompt", "session log"};
  }
  return out;
}

}  // namespace

void add_propose_llm_command(Registry& registry) {
  add(registry,
      command(
          Command{.path = "propose llm",
                  .does = kKeeps,
                  .may = {Capability::network},
                  .chapter = Class::proposals,
                  .summary = "Ask a language model for a change to the kernel.",
                  .help = "Sends what `prompt` shows to the endpoint of `set llm endpoint`, or "
                          "answers from the cassette of `set llm cassette`. Of the reply only the "
                          "kernel's body is taken over, and the "
                          "guard judges it. A reply that it refuses, or that does not compile, "
                          "goes back with the reasons, twice at most. What passes is a proposal "
                          "like any other, built and open. "
                          "Every request is in the session's log. Exits with 4 when no reply came "
                          "so far.\n\n"
                          "Nothing is sent while no endpoint is set, nor before you agreed (`set "
                          "llm consent on`, or a yes at the prompt).",
                  .fields = described(kAskedFields),
                  .columns = described(kReplyColumns),
                  .scalar = "proposal",
                  .examples = {"propose llm"},
                  .changes_program = true},
          {option("model", &ProposeLlmArgs::model, "name of the model; default: `set llm model`"),
           option("temperature", &ProposeLlmArgs::temperature,
                  "how much replies vary; default: `set llm temperature`")},
          propose_by_model));
}

}  // namespace rpl
