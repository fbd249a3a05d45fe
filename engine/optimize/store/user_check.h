// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/optimize/store/proposal.h"

namespace rpl {

/// What the user's own check is asked about. Paths are absolute.
struct CheckSubject {
  std::string stage;            ///< "verify"; "confirm" with the whole application built
  std::string proposal, title;  ///< "p3"
  std::string kernel, arch;
  std::string source;   ///< the user's file, which is as it was
  std::string capture;  ///< folder of the frozen dispatch
  std::string base_source, base_object, candidate_source, candidate_object;
  std::string program;  ///< at confirm: the application with the change; else ""
};
CheckSubject check_subject(Stage stage, const Optimization& optimization, const Proposal& proposal,
                           std::string program = {});

/// As listeners of `verify` get it: a record with the names above; "" is null.
Columns<CheckSubject> bound(const CheckSubject*);
/// As a program finds it: "RPL_CHECK_STAGE=verify", "RPL_CHECK_CANDIDATE_OBJECT=…"; what is "" is not set.
std::vector<std::string> check_environment(const CheckSubject& subject);

/// What the user's check said.
struct UserVerdict {
  std::vector<std::string>
      asked;  ///< the command line, "listeners of verify"; empty: there is no check
  std::optional<Reason> against;  ///< none: they agree
};

/// Runs a command through /bin/sh with check_environment(), in the current folder. A status other than 0, or not ending within half an hour, is a reason
/// against (`check-cmd`): the last line of its stderr. Fails as run() does, with interrupted on Ctrl-C.
Result<std::optional<Reason>> run_check_command(const std::string& command,
                                                const CheckSubject& subject);

}  // namespace rpl
