// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cluster/options.h"

namespace rpl {

class Context;

/// What `set slurm …` and `target slurm` say.
cluster::SlurmOptions slurm_options(const Context& context);

}  // namespace rpl
