// SPDX-License-Identifier: MIT
// What the runtime does not have: every function of engine/device/hip/symbols.txt that no other source defines.
#include "engine/device/hip/api/call.h"

namespace {

int refuse(const char* name) {
  rpl::emu::hip::Call call(name, rpl::emu::hip::kHostCosts.call_ns);
  call.runtime().refuse(name);
  return call.end(rpl::emu::hip::Code::not_supported);
}

}  // namespace

#define RPL_REFUSED(NAME) \
  extern "C" __attribute__((weak, visibility("default"))) int NAME() { return refuse(#NAME); }
#define RPL_REFUSED_TEXT(NAME)                                                 \
  extern "C" __attribute__((weak, visibility("default"))) const char* NAME() { \
    refuse(#NAME);                                                             \
    return "";                                                                 \
  }

#include "refused.inc"
