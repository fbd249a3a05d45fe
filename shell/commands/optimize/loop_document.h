// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/document/document.h"
#include "engine/optimize/loop/loop.h"

/// How steps of the optimization loop are shown; one shape for step, next, finish, continue and iterate.
namespace rpl {

const std::vector<Column>& step_fields();
const std::vector<Column>& step_columns();

/// All that one command carried out, in order; at least one.
Document step_document(const std::vector<StepReport>& steps);

/// The same for long courses: a line for each stage of an application or a kernel, and one for each decided proposal.
std::string course_lines(const std::vector<StepReport>& steps);

/// Whether its times are of a clock or of a model.
Provenance times_of(const Proposal& proposal);
/// "approve p3 --accept-modelled", without the option for measured time.
std::string approve_line(const Proposal& proposal);

/// A path below the current folder as people type it; others as they are.
std::string shown_path(const std::string& path);

/// Of a proposal: 0 accepted or approved, 5 rejected because it is wrong, 4 rejected otherwise, 0 while it is open.
int exit_code_of(const Proposal& proposal);

const std::vector<Column>& proposal_columns();
Row proposal_row(const Proposal& proposal);

}  // namespace rpl
