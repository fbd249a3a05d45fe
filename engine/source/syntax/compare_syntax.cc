// SPDX-License-Identifier: MIT
#include "engine/source/syntax/compare_syntax.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/source/syntax/known_calls.h"

namespace rpl {
namespace {

class SyntaxComparison {
 public:
  SyntaxComparison(const SyntaxFacts& baseline, const SyntaxFacts& candidate,
                   const std::set<std::string>& own)
      : baseline_(baseline), candidate_(candidate), own_(own) {}

  std::vector<GuardReason> run() {
    interface();
    calls();
    added(baseline_.globals, candidate_.globals, "global",
          "a variable from outside that the original does not use");
    added(baseline_.static_locals, candidate_.static_locals, "static-local",
          "a variable that keeps its value between launches");
    added(baseline_.external, candidate_.external, "extern",
          "dynamic LDS or a variable from elsewhere that the original does not declare");
    added(baseline_.written, candidate_.written, "new-write",
          "a parameter that the original only reads through is written through");
    more(baseline_.assembly, candidate_.assembly, candidate_.assembly_line, "asm",
         "inline assembly");
    more(baseline_.jumps, candidate_.jumps, candidate_.jump_line, "goto", "a goto");
    more(baseline_.const_casts, candidate_.const_casts, candidate_.const_cast_line, "const-cast",
         "a cast that drops const");
    std::ranges::stable_sort(out_, {}, &GuardReason::line);
    return std::move(out_);
  }

 private:
  void add(std::string_view rule, std::uint32_t line, std::string message) {
    out_.push_back({std::string(rule), std::move(message), line});
  }

  void interface() {
    if (baseline_.symbols != candidate_.symbols) {
      add("symbol", 0,
          fmt::format("the kernel's symbol would be {}, not {}",
                      fmt::join(candidate_.symbols, ", "), fmt::join(baseline_.symbols, ", ")));
    }
    if (baseline_.parameters != candidate_.parameters)
      add("parameters", 0, "types or names of the parameters are not the original ones");
  }

  void calls() {
    std::set<std::string> known;
    for (const auto& [callee, line] : baseline_.callees)
      known.insert(callee.substr(0, callee.find(' ')));
    for (const auto& [callee, line] : candidate_.callees) {
      const std::string name = callee.substr(0, callee.find(' '));
      if (baseline_.callees.contains(callee)) continue;
      // Another overload of a function of the file is another function; of one of HIP it is the same for another type.
      const bool own = own_.contains(name);
      if (!own && (known.contains(name) || may_be_called_anew(name))) continue;
      add("new-call", line, fmt::format("'{}' is called, which the original does not call", name));
    }
  }

  void added(const SyntaxFacts::Places& before, const SyntaxFacts::Places& after,
             std::string_view rule, std::string_view what) {
    for (const auto& [name, line] : after) {
      if (!before.contains(name)) add(rule, line, fmt::format("'{}': {}", name, what));
    }
  }

  void more(std::uint32_t before, std::uint32_t after, std::uint32_t line, std::string_view rule,
            std::string_view what) {
    if (after > before)
      add(rule, line,
          fmt::format("{} that the original does not hold, counted after macros are expanded",
                      what));
  }

  const SyntaxFacts& baseline_;
  const SyntaxFacts& candidate_;
  const std::set<std::string>& own_;
  std::vector<GuardReason> out_;
};

}  // namespace

std::vector<GuardReason> compare_syntax(const SyntaxFacts& baseline, const SyntaxFacts& candidate,
                                        const std::set<std::string>& own_functions) {
  return SyntaxComparison(baseline, candidate, own_functions).run();
}

}  // namespace rpl
