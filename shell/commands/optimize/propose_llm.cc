// SPDX-License-Identifier: MIT
// propose llm: asks a language model for one patch.
#include <fmt/format.h>

#include "shell/commands/optimize/loop_document.h"
#include "shell/commands/optimize/model_document.h"
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

const std::vector<Column>& reply_columns() {
  static const std::vector<Column> columns{
      {"reply", Type::integer, Unit::none, "1, 2, …"},
      {"proposal", Type::id, Unit::none, "what it became; null: nothing"},
      {"outcome", Type::string, Unit::none,
       "refused, rejected by a stage, or how far the proposal came"},
      {"strategy", Type::string, Unit::none, "in the model's words"},
      {"reason", Type::string, Unit::none, "the first reason against it"},
      {"requests", Type::integer, Unit::count,
       "sent for it, repetitions included; 0: from the cassette", InText::if_room},
      {"request", Type::string, Unit::none, "SHA-256 of the question", InText::never},
  };
  return columns;
}

void add_reply_rows(const ModelRound& round, std::size_t first, std::vector<Row>& rows) {
  for (const ModelTry& attempt : round.tries) {
    rows.push_back(
        {Value(std::uint64_t{first++}), attempt.proposal ? Value(attempt.proposal->id()) : Value(),
         Value(reply_outcome(attempt)), Value::known(attempt.strategy),
         attempt.reasons.empty()
             ? Value()
             : Value(attempt.reasons.front().rule + ": " + attempt.reasons.front().message),
         Value(attempt.requests), Value(attempt.request)});
  }
}

std::string reply_lines(const ModelRound& round, std::size_t first) {
  std::string out;
  for (const ModelTry& attempt : round.tries) {
    const std::string id = attempt.proposal ? attempt.proposal->id() : "";
    out += fmt::format("reply {:<5} {:<4} {}{}{}\n", first++, id, reply_outcome(attempt),
                       attempt.strategy.empty() ? "" : ": ", attempt.strategy);
    for (const Reason& reason : attempt.reasons)
      out += fmt::format("{:<16} {}: {}\n", "", reason.rule, reason.message);
  }
  return out;
}

namespace {

Result<Document> propose_by_model(Context& context, const ProposeLlmArgs& args) {
  OpenLoop open = TRY(open_loop(context));
  const Optimization current = TRY(open.store->current());
  const auto model = TRY(ModelSession::open(context, {args.model, args.temperature}));
  const ModelRound round = TRY(model->ask(open.loop));
  Document out;
  out.set("optimization", fmt::format("o{}", current.number));
  out.set("destination", model->destination());
  out.set("proposal", round.proposal ? Value(round.proposal->id()) : Value());
  out.set("state", round.proposal ? Value(to_string(round.proposal->state)) : Value());
  out.set("session_requests", Value(model->requests()));
  out.set("session_tokens", Value(model->tokens()));
  add_reply_rows(round, 1, out.rows);
  out.text = reply_lines(round, 1);
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
                  .fields = {{"optimization", Type::id, Unit::none, "what it is to make faster"},
                             {"destination", Type::string, Unit::none,
                              "the server that was asked, or the cassette"},
                             {"proposal", Type::id, Unit::none, "that was built; null: none"},
                             {"state", Type::string, Unit::none, "its state"},
                             {"session_requests", Type::integer, Unit::count,
                              "that this session has sent so far"},
                             {"session_tokens", Type::integer, Unit::count, "that it used so far"}},
                  .columns = reply_columns(),
                  .scalar = "proposal",
                  .examples = {"propose llm"},
                  .changes_program = true},
          {option("model", &ProposeLlmArgs::model, "name of the model; default: `set llm model`"),
           option("temperature", &ProposeLlmArgs::temperature,
                  "how much replies vary; default: `set llm temperature`")},
          propose_by_model));
}

}  // namespace rpl
