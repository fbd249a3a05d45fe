// SPDX-License-Identifier: MIT
#include "engine/table/json_text.h"

#include "shell/render/render.h"

namespace rpl {

std::string error_json(const Error& error) {
  std::string out = R"({"schema": "rpl.error/1", "code": )";
  append_json_string(out, to_string(error.code));
  out += R"(, "message": )";
  append_json_string(out, error.message);
  out += R"(, "hint": )";
  if (error.hint.empty()) {
    out += "null";
  } else {
    append_json_string(out, error.hint);
  }
  return out + "}\n";
}

}  // namespace rpl
