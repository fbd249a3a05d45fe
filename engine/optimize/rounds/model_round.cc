// SPDX-License-Identifier: MIT
#include "engine/optimize/rounds/model_round.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/files.h"
#include "engine/source/text/guard.h"
#include "engine/source/text/source_text.h"

namespace rpl {
namespace {

constexpr int kRepairs = 2;

/// Whether two files differ in comments and white space at most.
bool same_code(const std::string& a, const std::string& b) {
  const SourceText left(a), right(b);
  return std::ranges::equal(left.tokens(), right.tokens(),
                            [](const SourceToken& x, const SourceToken& y) {
                              return x.kind == y.kind && x.text == y.text;
                            });
}

/// The earlier proposal of this base with the same code; none.
std::optional<std::string> tried_before(const std::string& candidate, const ProposalStore& store) {
  for (const Proposal& proposal : store.of_current()) {
    const auto text = read_text_file(proposal.candidate_source());
    if (text && same_code(*text, candidate)) return proposal.id();
  }
  return std::nullopt;
}

/// A reply that the guard lets pass, or why not.
struct Judged {
  std::string candidate;
  std::vector<Reason> reasons;
};

Result<Judged> judge(const llm::ChatReply& reply, const std::string& base,
                     const std::string& kernel, const ProposalStore& store) {
  Judged out;
  if (reply.out_of_tokens) {
    out.reasons.push_back({"cut-off", "the reply reached its limit of tokens before its end", 0});
    return out;
  }
  const GuardVerdict verdict = TRY(check_response(base, kernel, reply.text));
  for (const GuardReason& reason : verdict.reasons)
    out.reasons.push_back({reason.rule, reason.message, static_cast<std::int64_t>(reason.line)});
  if (!verdict.accept) return out;
  if (same_code(base, verdict.patched)) {
    out.reasons.push_back({"no-change", "the kernel in the reply is the kernel as it is", 0});
  } else if (const auto before = tried_before(verdict.patched, store)) {
    out.reasons.push_back(
        {"tried-before", fmt::format("the kernel in the reply is that of {}", *before), 0});
  }
  out.candidate = verdict.patched;
  return out;
}

/// Reasons as the model reads them, with the line of its code where the compiler names one.
std::vector<std::string> said(const std::vector<Reason>& reasons, const std::string& candidate) {
  std::vector<std::string> out;
  for (const Reason& reason : reasons) {
    std::string line;
    std::size_t begin = 0;
    for (std::int64_t i = 1; i < reason.line && begin != std::string::npos; ++i)
      begin = candidate.find('\n', begin) == std::string::npos ? std::string::npos
                                                               : candidate.find('\n', begin) + 1;
    if (reason.line > 0 && begin != std::string::npos && !candidate.empty())
      line = candidate.substr(begin, candidate.find('\n', begin) - begin);
    out.push_back(fmt::format("{}: {}{}", reason.rule, reason.message,
                              line.empty() ? "" : fmt::format(", in the line `{}`", line)));
  }
  return out;
}

class Round {
 public:
  Round(const Optimization& optimization, const ModelQuestion& question, ProposalStore& store,
        const ModelTools& tools)
      : optimization_(optimization), question_(question), store_(store), tools_(tools) {}

  Result<ModelRound> run() {
    TRY(check_source(optimization_));
    base_ = TRY(read_text_file(optimization_.base_source()));
    const llm::Prompt prompt = llm::make_prompt(question_.parts);
    llm::ChatRequest request{.model = question_.model,
                             .instructions = prompt.instructions,
                             .turns = {{false, prompt.text()}},
                             .temperature = question_.temperature,
                             .max_tokens = question_.max_tokens};
    for (int repair = 0; repair <= kRepairs; ++repair) {
      const llm::Exchange exchange = TRY(tools_.client->ask(request, tools_.monitor));
      const Judged judged = TRY(judge(exchange.reply, base_, optimization_.kernel, store_));
      TRY(take(exchange, judged));
      if (out_.proposal) break;
      request.turns.push_back(
          {true, exchange.reply.text.empty() ? std::string("(no text)") : exchange.reply.text});
      request.turns.push_back(
          {false, llm::repair_text(said(out_.tries.back().reasons, judged.candidate))});
    }
    return std::move(out_);
  }

 private:
  Status take(const llm::Exchange& exchange, const Judged& judged) {
    const bool replayed = exchange.attempts.back().replayed;
    ModelTry attempt{.request = exchange.key,
                     .strategy = llm::strategy_in(exchange.reply.text),
                     .proposal = {},
                     .reasons = judged.reasons,
                     .requests = replayed ? 0 : static_cast<std::int64_t>(exchange.attempts.size()),
                     .replayed = replayed};
    if (judged.reasons.empty()) {
      TRY(make(exchange, judged.candidate, attempt));
    } else {
      TRY(tools_.log->refused({optimization_.number, attempt.strategy, attempt.reasons},
                              exchange.key));
    }
    out_.tries.push_back(std::move(attempt));
    return {};
  }

  /// A proposal of it, through guard and build.
  Status make(const llm::Exchange& exchange, const std::string& candidate, ModelTry& attempt) {
    Proposal draft;
    draft.origin = "model";
    draft.title = attempt.strategy.empty()
                      ? fmt::format("edit by {}",
                                    exchange.reply.model.empty() ? "a model" : exchange.reply.model)
                      : attempt.strategy;
    const llm::Attempt& last = exchange.attempts.back();
    put(draft.evidence, "propose",
        Value(Record{{"model", Value::known(exchange.reply.model)},
                     {"request", exchange.key},
                     {"replayed", last.replayed},
                     {"input_tokens", last.input_tokens},
                     {"output_tokens", last.output_tokens}}));
    Proposal proposal = TRY(propose_text(optimization_, std::move(draft), candidate, store_));
    while (proposal.open() && proposal.state < ProposalState::built) {
      out_.steps.push_back(TRY(tools_.step(proposal)));
      proposal = *out_.steps.back().proposal;
    }
    attempt.proposal = proposal;
    attempt.reasons = proposal.reasons;
    if (proposal.open()) out_.proposal = proposal;
    return {};
  }

  const Optimization& optimization_;
  const ModelQuestion& question_;
  ProposalStore& store_;
  const ModelTools& tools_;
  std::string base_;
  ModelRound out_;
};

}  // namespace

Result<ModelRound> ask_for_patch(const Optimization& optimization, const ModelQuestion& question,
                                 ProposalStore& store, const ModelTools& tools) {
  return Round(optimization, question, store, tools).run();
}

}  // namespace rpl
