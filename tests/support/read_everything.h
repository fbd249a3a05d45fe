// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rpl::test {

/// What reading a whole recording came to.
struct Outcome {
  std::string error;      ///< of the first thing that failed; "" when everything was read
  std::string violation;  ///< an index that points nowhere: a bug, whatever the file holds
};

/// Opens a recording of any format and reads every table of it.
Outcome read_everything(const std::string& path);

}  // namespace rpl::test
