// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/optimize/store/proposal.h"
#include "engine/optimize/verify/contract.h"
#include "engine/target/target.h"

namespace rpl {

/// Where the contract of a source's kernels stands: beside it, "softmax.contract" of "softmax.hip".
std::string contract_path(const std::string& source);

/// The names of a kernel's parameters, as the source has them. Fails with not_found, and as read_text_file() does.
Result<std::vector<std::string>> parameter_names(const Optimization& optimization);

/// What the contract beside the source says of the kernel, resolved; empty without such a file. Fails as parse_contract() and Contract::resolve() do.
Result<Contract> contract_of(const Optimization& optimization);

/// Puts a rule, a line as contracts have it, into the file, in place of the one of the same argument; makes the file where there is none. Returns the contract as it is then. Fails as
/// contract_of() does, and changes nothing then.
Result<Contract> set_rule(const Optimization& optimization, const std::string& line);
/// Takes the rule of an argument, or of the launch, out of the file. Fails with not_found when there is none.
Result<Contract> drop_rule(const Optimization& optimization, const std::string& what);
/// Puts another text in the file's place. Fails as contract_of() does of it.
Result<Contract> replace_contract(const Optimization& optimization, const std::string& text);

/// One rule held against the capture and the baseline.
struct RuleCheck {
  std::string rule;
  bool holds = false;  ///< the captured call keeps it
  std::string
      found;  ///< a sentence: what does not keep it, or which end the baseline does not run with
};

/// What is known of a kernel's arguments, and whether the contract fits them.
struct ContractReport {
  struct Argument {
    std::string name, type;  ///< "f32", "buffer of f32"
    std::string captured;    ///< the number, or how many elements
    std::string rule;        ///< declared; "" for none
    std::string found;       ///< what the baseline runs with, or what the contents decide
  };
  std::vector<Argument> arguments;
  std::vector<RuleCheck> checks;
};
/// Runs the baseline of an optimization to find out. Fails as the target does.
Result<ContractReport> study_contract(const Optimization& optimization, const Capture& capture,
                                      Target& target, const Contract& contract);

}  // namespace rpl
