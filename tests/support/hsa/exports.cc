// SPDX-License-Identifier: MIT
// What the shared library does when it is loaded and unloaded.
#include "tests/support/hsa/calls.h"

namespace {

struct AtLoad {
  AtLoad() { rpl::hsa_double::occupy_for_environment(); }
  ~AtLoad() {
    const auto open = rpl::hsa_double::machine();
    if (!open) return;
    rpl::hsa_double::journal().write("the process ends without hsa_shut_down");
    for (const std::string& line : open->left()) rpl::hsa_double::journal().write("left: " + line);
  }
};
const AtLoad at_load;

}  // namespace
