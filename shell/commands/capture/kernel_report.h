// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/launch/launch.h"
#include "engine/document/document.h"

/// What commands that ran a kernel on the emulated device say about it.
namespace rpl {

/// Columns of an Executed: model, cycles, time, counts.
std::vector<Column> executed_fields();
/// Sets them. Counts that the mode did not keep are null.
void set_executed(const emu::Executed& executed, emu::Mode mode, Document& out);

/// Notes worth saying: instructions whose results are approximate.
void add_fidelity_notes(const emu::Executed& executed, Document& out);
/// That only a part of the grid ran, where that is so.
void add_sample_note(const emu::Executed& executed, Document& out);

}  // namespace rpl
