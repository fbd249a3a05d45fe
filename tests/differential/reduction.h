// SPDX-License-Identifier: MIT
#pragma once

#include "tests/differential/campaign.h"

namespace rpl::differential {

/// How a function behaves differently on host and device, or nothing.
std::optional<std::string> disagreement(const Function& function, const HostModule& host,
                                        const std::shared_ptr<const isa::CodeObject>& object,
                                        const Inputs& inputs);

/// The function of a finding with every statement replaced by zeros that it does not need to go wrong: IR for the device, and what
/// the smaller function still does differently.
std::string reduced_case(const Plan& plan, const Finding& finding);

}  // namespace rpl::differential
