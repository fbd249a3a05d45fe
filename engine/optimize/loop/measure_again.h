// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "engine/optimize/loop/stages.h"
#include "engine/optimize/store/store.h"

namespace rpl {

/// The stage after the last decision of a round.
inline constexpr std::string_view kAgain = "again";

/// The best accepted proposal of the current optimization, when it was chosen among several that measured time accepted and was not measured again
/// since; none otherwise, and always for modelled time, of which equal runs are equal.
std::optional<Proposal> awaiting_again(const ProposalStore& store);

/// Measures it with fresh samples, nothing of the first measurement among them; passes when these say improved, too. Who was best of several was lucky
/// perhaps. Fails with missing_capability where nothing measures.
Result<StageOutcome> again_stage(const Proposal& winner, const Workbench& bench);

}  // namespace rpl
