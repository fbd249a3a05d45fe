// SPDX-License-Identifier: MIT
#pragma once

#include "engine/table/value.h"

namespace rpl {

class Context;

/// What `set slurm …` and `target slurm` say, as a tuning keeps it.
Record slurm_record(const Context& context);

}  // namespace rpl
