// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>

#include "engine/optimize/rules/rule.h"

namespace rpl {

/// A row of the catalogue.
struct Rule {
  std::string_view name;
  std::string_view summary;           ///< what it changes, one line
  std::vector<Bottleneck> addresses;  ///< the one that it helps most first
  bool bit_exact = true;              ///< which check its results must pass
  bool in_v1 = false;                 ///< belongs to the scope `v1`
  bool needs_capture = false;         ///< builds on what captured launches were like
  RuleOutcome (*propose)(const KernelCase&) = nullptr;
};

/// Fails with usage, naming the rules.
Result<const Rule*> rule_named(std::string_view name);

/// An edit of a kernel's body that a user's own rule offers.
struct UserEdit {
  std::string title, why;
  std::string body;    ///< what is to stand between the braces, or "" when `source` is given
  std::string source;  ///< a whole file
  bool bit_exact = false;
};

/// What a user's rule is told.
struct UserKernel {
  std::string name, source, body;
  std::size_t line = 1;  ///< of the opening brace, 1-based
};

/// A rule that somebody wrote in Lua or in another program.
struct UserRule {
  std::string name;
  std::optional<Bottleneck> addresses;
  std::function<Result<std::vector<UserEdit>>(const UserKernel&)> propose;
};

/// Which rules a search asks.
enum class RuleScope {
  v1,        ///< those that unroll loops
  extended,  ///< all
};

struct RuleRequest {
  RuleScope scope = RuleScope::extended;
  std::string rule = {};  ///< this one alone, whatever the scope; "" for all of the scope
  const LaunchFacts* launches = nullptr;
  bool assume_captured = false;
  std::vector<Bottleneck> diagnosis =
      {};  ///< what holds the kernel back, the worst first: the order of the edits follows it
  std::vector<UserRule> user_rules = {};  ///< in every scope
};

/// What the rules offer for `kernel` of `source`; every edit passes the guard. Errors are those of find_target() and rule_named(), and what
/// a user's rule fails with.
Result<RuleOutcome> propose_by_catalogue(std::string_view source, std::string_view kernel,
                                         const RuleRequest& request);

}  // namespace rpl
