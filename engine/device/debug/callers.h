// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/device/debug/edits.h"
#include "engine/device/execute/state/machine.h"

namespace rpl::debug {

/// A function that called the one that a wave is in, as it was in front of that call.
struct Caller {
  std::uint64_t time = 0;  ///< wave-instructions executed before the call
  std::shared_ptr<const emu::Wave>
      wave;  ///< without its private memory; null where it is not known
};

/// Whether an operation calls a function.
bool is_call(const emu::Op& op);

/// Whether a person wrote to some of a wave's registers behind a call: what the function that called has there is no more known then.
bool written_since(const std::vector<Edit>& edits, const Caller& caller, const RegisterName& name);

}  // namespace rpl::debug
