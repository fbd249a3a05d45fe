// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "shell/core/session/inputs.h"

namespace rpl {

class Face;
class Jobs;
class Registry;
class SessionLog;

/// What a shell makes a job of. Made of a context, so that whoever holds one may pass it.
struct JobStarter : Inputs {
  JobStarter(const Context& context);

  const Registry& registry;
  Jobs& jobs;
  const Face& face;
  const SessionLog& log;
};

/// The line as another shell understands it: values in the place of `$variables`, paths in the place of ids (t1, c2, o1, att1, prof1).
/// Fails as the line would here, and for what makes no sense in another shell.
Result<std::string> line_of_job(const JobStarter& shell, std::string_view line);

/// The arguments of the program for a shell that runs `line` alone, with what is current here open and what is set here set.
Result<std::vector<std::string>> arguments_of_job(const JobStarter& shell, const std::string& line);

}  // namespace rpl
