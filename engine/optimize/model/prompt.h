// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/optimize/model/chat.h"

namespace rpl::llm {

/// Something known, in words: "compute units", "304".
struct PromptFact {
  std::string name, value;
};

/// An attempt before this one, and what came of it.
struct PromptAttempt {
  std::string id;        ///< "p3"; empty: it did not become a proposal
  std::string strategy;  ///< what it tried
  std::string outcome;   ///< "accepted, 1.221 times as fast", "rejected by verify"
  std::string reason;    ///< of a rejection; may be empty
};

/// What a model is told. Empty parts are left out: nothing is said of what is not known.
struct PromptParts {
  std::string kernel;   ///< as people write it: "softmax(float const*, float*, int, int)"
  std::string source;   ///< its definition, or the whole file
  std::string context;  ///< what it uses of the file: functions, macros, variables
  bool whole_file = false;
  std::vector<PromptFact> hardware, launch, profile, resources;
  std::vector<PromptFact> hot_lines;  ///< source lines by their cost, with what stalls them
  std::vector<PromptAttempt> attempts;
  std::string strategy;  ///< what to try this time
  bool compact = false;  ///< rules by name alone, no context, the last three attempts
};

/// A rule that is enforced, as the model is told of it. The names are those of docs/guards.md.
struct PromptRule {
  std::string_view name, sentence;
};
const std::vector<PromptRule>& prompt_rules();

struct Prompt {
  std::string instructions;  ///< the contract, the same for every kernel
  std::vector<std::pair<std::string, std::string>>
      sections;  ///< title and text, what changes least first

  /// All sections as Markdown.
  [[nodiscard]] std::string text() const;
};

Prompt make_prompt(const PromptParts& parts);

/// The turn after a reply that could not be taken: what was wrong with it, and the contract again.
std::string repair_text(const std::vector<std::string>& reasons);

/// The line "Strategy: …" of a reply, at most 80 characters of it; "" when it has none.
std::string strategy_in(std::string_view reply);

}  // namespace rpl::llm
