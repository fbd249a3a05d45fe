// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/capture/capture.h"
#include "engine/document/document.h"

namespace rpl {

/// Checks a capture that was just made or received, keeps the result in its folder and says where it is weak.
void note_self_check(const std::string& folder, const Capture& capture, Document& out);

}  // namespace rpl
