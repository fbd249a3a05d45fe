// SPDX-License-Identifier: MIT
#include "shell/core/session/events.h"

#include <fmt/format.h>

namespace rpl {

const std::map<std::string, std::string, std::less<>>& Events::known() {
  static const std::map<std::string, std::string, std::less<>> events{
      {"trace_opened", "a recording was opened: {id, paths}"},
      {"trace_closed", "a recording was closed: {id}"},
      {"capture_opened", "a capture was opened or made: {id, paths}"},
      {"object_opened", "a code object was opened: {id, paths}"},
      {"selection_changed", "another kernel or dispatch was selected: {kernel, dispatch}"},
      {"before_bench",
       "a verified proposal is about to be measured: {proposal, title}; an error vetoes it"},
      {"before_approve",
       "a proposal is about to be written to its file: {proposal, title, source, ratio}; an error "
       "vetoes it"},
      {"proposal_tested",
       "a stage of a proposal was carried out: {proposal, stage, passed, state, found}"},
      {"verify",
       "a proposal computes what the baseline computes: {stage, proposal, title, kernel, arch, "
       "source, capture, base_source, base_object, candidate_source, candidate_object, program}; "
       "false with a reason, or an error, rejects it"},
      {"before_command", "a command is about to run: {line}; an error vetoes it"},
      {"after_command", "a command has run: {line, exit}"},
      {"exit", "the program is about to end: {exit}"},
  };
  return events;
}

Status Events::on(std::string_view event, Listener listener) {
  if (!known().contains(event)) {
    std::string names;
    for (const auto& [name, what] : known()) names += (names.empty() ? "" : ", ") + name;
    return fail(Errc::not_found, fmt::format("no event '{}'", event), "events: " + names);
  }
  listeners_[std::string(event)].push_back(std::move(listener));
  return {};
}

bool Events::heard(std::string_view event) const { return listeners_.contains(event); }

Status Events::emit(std::string_view event, const Value& payload) const {
  const auto found = listeners_.find(event);
  if (found == listeners_.end()) return {};
  // A listener may add listeners: go by index over what is there, not by iterator.
  const std::vector<Listener> now = found->second;
  for (const Listener& listener : now) TRY(listener(payload));
  return {};
}

}  // namespace rpl
