// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

namespace rpl {

class Settings;

/// Reads the counters and metrics that the user added: `*.counters` in ~/.config/rpl/counters by name, then `set counters file`. To be called by
/// what shows or computes counters; nothing happens when the files are as before. Fails as use_counter_files() does.
Status load_counter_files(const Settings& settings);

}  // namespace rpl
