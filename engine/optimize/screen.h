// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/isa/code_object.h"
#include "engine/optimize/proposal.h"

namespace rpl {

/// What a code object says about one kernel before anything runs: registers, memory, instructions by class.
Result<Record> static_record(const isa::CodeObject& object, const std::string& kernel);

/// Why a candidate need not run: its machine code is the baseline's, its interface is another, it has symbols that the baseline lacks, or it needs
/// scratch memory where the baseline needs none. Empty: go on.
Result<std::vector<Reason>> screen(const isa::CodeObject& baseline, const isa::CodeObject& candidate,
                                   const std::string& kernel);

}  // namespace rpl
