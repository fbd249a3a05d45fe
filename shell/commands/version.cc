// SPDX-License-Identifier: MIT
#include "shell/commands/version.h"

namespace rpl {

std::string_view version() { return RPL_VERSION; }

}  // namespace rpl
