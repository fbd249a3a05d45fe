// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/target/slurm/options.h"

namespace rpl {

class Settings;

/// What `set slurm …` and `target slurm` say.
cluster::SlurmOptions slurm_options(const Settings& settings);

/// Words as a shell splits them, nothing else of a shell. Fails with usage for a pipeline.
Result<std::vector<std::string>> template_words(const std::string& text, std::string_view option);

}  // namespace rpl
