// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/contract_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/output_file.h"
#include "engine/base/text.h"
#include "engine/capture/reach.h"
#include "engine/optimize/verify/baseline_study.h"
#include "engine/replay/elements.h"
#include "engine/source/text/declarations.h"
#include "engine/source/text/kernel_name.h"

namespace rpl {
namespace {

/// As lines of a contract name a kernel: without namespaces and what is in brackets.
std::string plain_name(const Optimization& optimization) {
  const std::string whole = short_kernel(demangled(optimization.kernel));
  return whole.substr(0, whole.find('<'));
}

Result<std::string> text_of(const Optimization& optimization) {
  const std::string path = contract_path(optimization.source);
  if (!std::filesystem::exists(path)) return std::string();
  return read_text_file(path);
}

/// Of the baseline's code object, once there is one.
std::vector<std::string> variable_names(const Optimization& optimization) {
  std::vector<std::string> out;
  const auto object = isa::CodeObject::open(optimization.base_object());
  if (!object) return out;
  for (const isa::Symbol* symbol : variables_of(**object)) {
    if (may_change(**object, *symbol)) out.push_back(symbol->name);
  }
  return out;
}

Result<Contract> resolved(const std::string& text, const Optimization& optimization) {
  Contract out = TRY(parse_contract(text, plain_name(optimization)));
  if (out.arguments.empty()) return out;
  const auto names = TRY(parameter_names(optimization));
  TRY(out.resolve(names, variable_names(optimization)));
  return out;
}

Result<Contract> written(const Optimization& optimization, const std::string& text) {
  Contract contract = TRY(resolved(text, optimization));
  // People write this file too: it is changed, not made.
  TRY(write_approved_file(contract_path(optimization.source), text));
  return contract;
}

std::string numbers(const std::vector<double>& of) {
  std::vector<std::string> out;
  for (const double number : of) out.push_back(fmt::format("{}", number));
  return fmt::format("{}", fmt::join(out, ", "));
}

std::string decides(Role role) {
  switch (role) {
    case Role::value:
      return "values only";
    case Role::branch:
      return "which way the kernel takes";
    case Role::structure:
      return "addresses";
    case Role::fixed:
      break;
  }
  return "only the captured contents run";
}

/// The first element that the rule does not allow, as a sentence; "" for none.
std::string element_outside(const ArgumentRule& rule, Element element,
                            const std::vector<std::byte>& bytes) {
  const std::size_t size = size_of(element);
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    if (!rule.allows(element_number(element, &bytes[at])))
      return fmt::format("the captured element {} is {}", at / size,
                         element_text(element, &bytes[at]));
  }
  return {};
}

class Checker {
 public:
  Checker(const Optimization& optimization, const Capture& capture, Target& target,
          const Contract& contract)
      : optimization_(optimization), capture_(capture), target_(target), contract_(contract) {}

  Result<ContractReport> all() {
    object_ = TRY(isa::CodeObject::open(optimization_.base_object()));
    const Runner baseline{target_, capture_, object_, "", optimization_.launch};
    const auto study = TRY(BaselineStudy::begin(baseline, {.contract = contract_}));
    const auto names = parameter_names(optimization_);
    for (const ArgumentFacts& facts : study->arguments(capture_)) {
      const bool named = names && facts.position < names->size();
      const CapturedArgument& argument = capture_.arguments[facts.position];
      const ArgumentRule* rule = contract_.rule_at(facts.position);
      ContractReport::Argument row{
          .name = named ? (*names)[facts.position] : fmt::format("{}", facts.position + 1),
          .type = argument.element ? std::string(to_string(*argument.element)) : "",
          .captured = {},
          .rule = rule ? to_text(*rule).substr(rule->argument.size() + 1) : "",
          .found = {}};
      if (facts.region) {
        const BufferTraits& traits = study->traits()[*facts.region];
        row.type = fmt::format("buffer of {}", to_string(traits.element));
        row.captured = fmt::format("{} elements",
                                   capture_.regions[*facts.region].size / size_of(traits.element));
        row.found = decides(traits.role);
      } else {
        row.captured = fmt::format("{}", *facts.captured);
        row.found = facts.runs_with.empty() ? "the captured one alone"
                                            : "runs with " + numbers(facts.runs_with);
      }
      out_.arguments.push_back(std::move(row));
      if (rule != nullptr) TRY(check(baseline, *study, facts, *rule));
    }
    return std::move(out_);
  }

 private:
  Status check(const Runner& baseline, const BaselineStudy& study, const ArgumentFacts& facts,
               const ArgumentRule& rule) {
    RuleCheck out{.rule = to_text(rule), .holds = true, .found = {}};
    if (rule.as_captured) {
      out.found = "the captured one alone";
    } else if (facts.region) {
      out.found = element_outside(rule, study.traits()[*facts.region].element,
                                  capture_.regions[*facts.region].before);
      out.holds = out.found.empty();
      if (out.holds) out.found = "all captured elements keep it";
    } else if (!rule.allows(*facts.captured)) {
      out.holds = false;
      out.found = fmt::format("the captured {} is outside", *facts.captured);
    } else {
      out.found = "the baseline runs with " + numbers(rule.ends());
      for (const double end : rule.ends()) {
        const auto error = TRY(study.fails_with(baseline, facts.position, end));
        if (!error) continue;
        out.found = fmt::format("not tried with {}: {}", end, error->message);
        break;
      }
    }
    out_.checks.push_back(std::move(out));
    return {};
  }

  const Optimization& optimization_;
  const Capture& capture_;
  Target& target_;
  const Contract& contract_;
  std::shared_ptr<const isa::CodeObject> object_;
  ContractReport out_;
};

}  // namespace

std::string contract_path(const std::string& source) {
  return std::filesystem::path(source).replace_extension(".contract").string();
}

Result<std::vector<std::string>> parameter_names(const Optimization& optimization) {
  const std::string text = TRY(read_text_file(optimization.base_source()));
  const SourceKernel kernel = TRY(find_kernel(find_kernels(text), plain_name(optimization)));
  const SourceText source(text);
  const std::size_t open = parameter_list_of(source, kernel);
  std::vector<std::string> out;
  if (open == kNoToken) return out;
  for (const ByteRange range : parameters_of(source, open))
    out.emplace_back(parameter_name(source, range));
  return out;
}

Result<Contract> contract_of(const Optimization& optimization) {
  return resolved(TRY(text_of(optimization)), optimization);
}

Result<Contract> set_rule(const Optimization& optimization, const std::string& line) {
  const std::string kernel = plain_name(optimization);
  const auto lines = contract_lines(line, kernel);
  if (lines.size() != 1 || lines.front().words.empty())
    return fail(Errc::usage, fmt::format("'{}' is no rule", line), "contract set 'n in 1..4096'");
  return written(optimization,
                 *with_rule(TRY(text_of(optimization)), kernel, lines.front().words.front(), line));
}

Result<Contract> drop_rule(const Optimization& optimization, const std::string& what) {
  auto text = with_rule(TRY(text_of(optimization)), plain_name(optimization), what, "");
  if (!text)
    return fail(Errc::not_found, fmt::format("the contract has no rule of '{}'", what),
                "'contract show' lists them");
  return written(optimization, *text);
}

Result<Contract> replace_contract(const Optimization& optimization, const std::string& text) {
  return written(optimization, text);
}

Result<ContractReport> study_contract(const Optimization& optimization, const Capture& capture,
                                      Target& target, const Contract& contract) {
  return Checker(optimization, capture, target, contract).all();
}

}  // namespace rpl
