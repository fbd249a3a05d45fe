// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/diagnose/advice.h"
#include "shell/commands/kernel_facts.h"

/// What classify, headroom, advise and explain share.
namespace rpl {

/// One kernel with what follows from its facts.
struct DiagnosedKernel {
  std::uint32_t kernel = 0;
  std::int64_t total_ns = 0;
  diagnose::Facts facts;
  diagnose::Diagnosis diagnosis;
  diagnose::Headroom headroom;
};

struct DiagnosedKernels {
  Loaded now;
  std::vector<DiagnosedKernel> kernels;  ///< the longest total first
  std::vector<std::string> notes;
};

/// The kernels of the current trace, or the one that `reference` names.
Result<DiagnosedKernels> diagnosed(Context& context, const std::string& reference);

/// A command of the tables of rules and advice with the kernel's id in the place of KERNEL.
std::string filled_in(std::string_view command, const Trace& trace, std::uint32_t kernel);

/// "counters of the roofline (hbm_share, l2_share): counters plan roofline".
std::string need_text(const diagnose::Need& need, const Trace& trace, std::uint32_t kernel);

}  // namespace rpl
