// SPDX-License-Identifier: MIT
#include "engine/optimize/store/user_check.h"

#include <fmt/format.h>

#include <cctype>

#include "engine/document/bound.h"
#include "engine/process/run.h"

namespace rpl {
namespace {

/// "" is null in a record, and not set in an environment.
constexpr auto kSubject =
    bound_to<CheckSubject>(column<&CheckSubject::stage>("stage").or_null(),
                           column<&CheckSubject::proposal>("proposal").or_null(),
                           column<&CheckSubject::title>("title").or_null(),
                           column<&CheckSubject::kernel>("kernel").or_null(),
                           column<&CheckSubject::arch>("arch").or_null(),
                           column<&CheckSubject::source>("source").or_null(),
                           column<&CheckSubject::capture>("capture").or_null(),
                           column<&CheckSubject::base_source>("base_source").or_null(),
                           column<&CheckSubject::base_object>("base_object").or_null(),
                           column<&CheckSubject::candidate_source>("candidate_source").or_null(),
                           column<&CheckSubject::candidate_object>("candidate_object").or_null(),
                           column<&CheckSubject::program>("program").or_null());

std::string variable(std::string_view name) {
  std::string out = "RPL_CHECK_";
  for (const char c : name) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

CheckSubject check_subject(Stage stage, const Optimization& optimization, const Proposal& proposal,
                           std::string program) {
  return {.stage = std::string(to_string(stage)),
          .proposal = proposal.id(),
          .title = proposal.title,
          .kernel = optimization.kernel,
          .arch = optimization.architecture,
          .source = optimization.source,
          .capture = optimization.capture,
          .base_source = optimization.base_source(),
          .base_object = optimization.base_object(),
          .candidate_source = proposal.candidate_source(),
          .candidate_object = proposal.candidate_object(),
          .program = std::move(program)};
}

Columns<CheckSubject> bound(const CheckSubject*) { return kSubject; }

std::vector<std::string> check_environment(const CheckSubject& subject) {
  std::vector<std::string> out;
  for (const BoundColumn& field : Columns<CheckSubject>(kSubject)) {
    const Value value = field.value(&subject);
    const auto* text = value.as<std::string>();
    // A name alone removes what an outer program may have set.
    out.push_back(variable(field.about.name) + (text == nullptr ? "" : "=" + *text));
  }
  return out;
}

Result<std::optional<Reason>> run_check_command(const std::string& command,
                                                const CheckSubject& subject) {
  constexpr std::chrono::minutes kLongest{30};
  const Exit ended =
      TRY(run({.argv = {"/bin/sh", "-c", command},
               .program = Program::tool,  // of a setting that only who may run programs can change
               .env = check_environment(subject),
               .timeout = kLongest}));
  if (ended.ok()) return std::nullopt;
  const std::string said = last_line(ended.err.text);
  const std::string how = ended.timed_out
                              ? fmt::format("did not end within {} minutes", kLongest.count())
                              : fmt::format("ended with status {}", ended.code);
  return Reason{.rule = "check-cmd",
                .message = fmt::format("'{}' {}{}{}", command, how, said.empty() ? "" : ": ", said),
                .line = 0};
}

}  // namespace rpl
