// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/metrics/diagnose/headroom.h"
#include "shell/commands/diagnose/kernel_facts.h"

/// What classify, headroom, advise and explain share.
namespace rpl {

/// One kernel with what follows from its facts.
struct DiagnosedKernel {
  std::string id, name;  ///< "k7f3a2c" or "att1"; the name in full
  std::int64_t total_ns = 0;
  bool modelled = false;          ///< see KernelFacts
  std::string occupancy_command;  ///< likewise
  diagnose::Facts facts;
  diagnose::Diagnosis diagnosis;
  diagnose::Headroom headroom;
  std::optional<findings::Findings>
      findings;  ///< of the emulated device: what label and headroom follow from
  std::vector<findings::Finding>
      recorded;  ///< of a recording of a GPU: what its numbers and its machine code are evidence for
};

struct DiagnosedKernels {
  std::optional<Loaded> now;             ///< nullopt: only thread traces are open
  std::vector<DiagnosedKernel> kernels;  ///< the longest total first
  std::vector<std::string> notes;
};

/// The kernels of the current trace and of open thread traces, or the one that `args.kernel` names.
Result<DiagnosedKernels> diagnosed(const Inputs& inputs, const RooflineArgs& args);

/// What a verdict on them is: an estimate, and no more than modelled where nothing but the cycle model knows them.
Provenance provenance_of(const DiagnosedKernels& all);
/// The notes about them, that nothing ran among them, and where the verdicts come from.
void add_notes(const DiagnosedKernels& all, Document& out);

/// A command of the tables of rules and advice with the kernel's id in the place of KERNEL; recorders get its name. Where
/// only the cycle model knows the kernel, the commands of recordings become those that do as much for it.
std::string filled_in(std::string_view command, const DiagnosedKernel& kernel);

/// "counters of the roofline (hbm_share, l2_share): counters plan roofline".
std::string need_text(const diagnose::Need& need, const DiagnosedKernel& kernel);

/// What share of the whole span a share of the kernel's time is.
double weight_of(const DiagnosedKernel& kernel);

/// "uncoalesced-load, 22 to 36 % of its time: softmax.hip:11 in softmax".
std::string one_line(const findings::Finding& found);
/// Each with its worth, place, evidence and remedy, in lines of `width` columns.
std::string causes_text(std::span<const findings::Finding> found, std::size_t width);

/// What the label follows from, a line each: what was found, else the evidence of rules.
std::vector<std::string> reasons_of(const DiagnosedKernel& kernel);

/// Its name, shortened to `width` columns.
std::string short_name(const DiagnosedKernel& kernel, std::size_t width);

}  // namespace rpl
