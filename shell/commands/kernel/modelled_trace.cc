// SPDX-License-Identifier: MIT
#include "shell/commands/kernel/modelled_trace.h"

#include "engine/device/record/modelled_trace.h"
#include "shell/commands/kernel/kernel_run_command.h"
#include "shell/core/inputs/opened.h"

namespace rpl {

Result<std::string> keep_thread_trace(const Inputs& inputs, const emu::Executed& executed,
                                      const std::string& folder, Document& out) {
  const att::WrittenTrace trace = TRY(calibrate::modelled_trace(executed));
  const std::string decoded = TRY(att::write_trace(folder, trace));
  const AttEntry entry = TRY(thread_trace_named(inputs, decoded));
  out.put(kKeptTrace, Kept{entry->id, decoded});
  out.notes.push_back("thread trace: " + trace.what);
  return entry->id;
}

}  // namespace rpl
