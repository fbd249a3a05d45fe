// SPDX-License-Identifier: MIT
#include "engine/trace/reader.h"

namespace rpl {

Result<RawTrace> read_json(const ReadRequest& request) {
  return fail(Errc::unsupported, request.path + " is in a format that this build cannot read yet");
}

}  // namespace rpl
