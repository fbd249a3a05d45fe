// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rpl {

/// "PLACE thread 1 if CONDITION" taken apart: without blanks around the parts, and the wave as part of the condition.
struct PointText {
  std::string place, condition;
};
PointText split_point(const std::string& text);

}  // namespace rpl
