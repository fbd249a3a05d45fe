// SPDX-License-Identifier: MIT
#include "engine/trace/reader.h"

namespace rpl {

Result<RawTrace> read_rocpd(std::shared_ptr<ForeignDatabase>, const ReadRequest& request) {
  return fail(Errc::unsupported, request.path + " is in a format that this build cannot read yet");
}

}  // namespace rpl
