// SPDX-License-Identifier: MIT
#include "engine/optimize/store/user_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/process/last_line.h"
#include "engine/process/run.h"

namespace rpl {
namespace {

struct Field {
  std::string_view name;
  std::string CheckSubject::* text;
};

constexpr std::array<Field, 12> kFields{{{"stage", &CheckSubject::stage},
                                         {"proposal", &CheckSubject::proposal},
                                         {"title", &CheckSubject::title},
                                         {"kernel", &CheckSubject::kernel},
                                         {"arch", &CheckSubject::arch},
                                         {"source", &CheckSubject::source},
                                         {"capture", &CheckSubject::capture},
                                         {"base_source", &CheckSubject::base_source},
                                         {"base_object", &CheckSubject::base_object},
                                         {"candidate_source", &CheckSubject::candidate_source},
                                         {"candidate_object", &CheckSubject::candidate_object},
                                         {"program", &CheckSubject::program}}};

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

Value to_value(const CheckSubject& subject) {
  Record out;
  for (const Field& field : kFields)
    out.emplace_back(std::string(field.name), Value::known(subject.*field.text));
  return Value(std::move(out));
}

std::vector<std::string> check_environment(const CheckSubject& subject) {
  std::vector<std::string> out;
  for (const Field& field : kFields) {
    const std::string& text = subject.*field.text;
    // A name alone removes what an outer program may have set.
    out.push_back(text.empty() ? variable(field.name)
                               : fmt::format("{}={}", variable(field.name), text));
  }
  return out;
}

Result<std::optional<Reason>> run_check_command(const std::string& command,
                                                const CheckSubject& subject) {
  constexpr std::chrono::minutes kLongest{30};
  const Exit ended = TRY(run({.argv = {"/bin/sh", "-c", command},
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
