// SPDX-License-Identifier: MIT
#pragma once

#include "engine/optimize/rules/rule.h"

/// The rules of the catalogue; docs/rules.md describes each. They read tokens alone and never fail: what a rule does not understand it
/// refuses, with line and reason.
namespace rpl::rules {

RuleOutcome loop_unroll(const KernelCase& on);
RuleOutcome launch_bounds(const KernelCase& on);
RuleOutcome waves_per_eu(const KernelCase& on);
RuleOutcome restrict_pointers(const KernelCase& on);
RuleOutcome workgroup_size(const KernelCase& on);
RuleOutcome split_sums(const KernelCase& on);
RuleOutcome lds_atomics(const KernelCase& on);
RuleOutcome float_literals(const KernelCase& on);
RuleOutcome wave_per_row(const KernelCase& on);
RuleOutcome swap_lanes(const KernelCase& on);
RuleOutcome lds_tile(const KernelCase& on);
RuleOutcome lds_transpose(const KernelCase& on);
RuleOutcome fuse_launches(const KernelCase& on);
RuleOutcome nontemporal(const KernelCase& on);
RuleOutcome invariant_hoist(const KernelCase& on);
RuleOutcome register_rows(const KernelCase& on);
RuleOutcome lds_padding(const KernelCase& on);
RuleOutcome vector_load(const KernelCase& on);
RuleOutcome compiler_flags(const KernelCase& on);

}  // namespace rpl::rules
