// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

class Context;

/// The line as another shell understands it: values in the place of `$variables`, paths in the place of ids (t1, c2, o1, att1, prof1).
/// Fails as the line would here, and for what makes no sense in another shell.
Result<std::string> line_of_job(Context& context, std::string_view line);

/// The arguments of the program for a shell that runs `line` alone, with what is current here open and what is set here set.
Result<std::vector<std::string>> arguments_of_job(Context& context, const std::string& line);

}  // namespace rpl
