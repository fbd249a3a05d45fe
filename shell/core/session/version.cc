// SPDX-License-Identifier: MIT
#include "shell/core/session/version.h"

namespace rpl {

std::string_view version() { return RPL_VERSION; }

std::string_view version_date() { return RPL_VERSION_DATE; }

}  // namespace rpl
