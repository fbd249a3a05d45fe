// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace rpl::regress {

/// Sets of flags for the slower compiler that may make it as fast as the other one: each flag in which the two differ taken over or taken away, then options that turn one optimization off
/// or down. None changes what programs compute beyond what the two already do.
std::vector<std::vector<std::string>> flags_to_try(const std::vector<std::string>& slow,
                                                   const std::vector<std::string>& fast);

/// What a set has that `from` lacks, and lacks that `from` has: "-fno-unroll-loops", "without -O1".
std::string flags_text(const std::vector<std::string>& from, const std::vector<std::string>& to);

}  // namespace rpl::regress
