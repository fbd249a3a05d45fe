// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/table/json_text.h"
#include "shell/command/line.h"
#include "shell/render/terminal.h"

namespace rpl {

/// Writes a result in the form asked for. `form.limit` cuts rows, and the cut is said. Notes are written into JSON only; in
/// the other forms they are the caller's to show on stderr.
Status render(const Document& document, const Form& form, const Terminal& terminal,
              const Sink& sink);

/// The text form as a string, for tostring() in scripts and for tests.
std::string render_text(const Document& document, const Terminal& terminal);

/// A failure as an `rpl.error/1` document, with a final newline.
std::string error_json(const Error& error);

}  // namespace rpl
