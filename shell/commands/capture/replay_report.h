// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/bound.h"
#include "engine/replay/series.h"
#include "engine/target/traits.h"

/// What a replay returns.
namespace rpl {

struct KernelRan {
  std::string name, hsaco_path;
};
inline constexpr auto kKernelRanFields =
    bound_to<KernelRan>(column<&KernelRan::name>("name", "of the kernel"),
                        column<&KernelRan::hsaco_path>("hsaco_path", "the code object that ran"));
inline Columns<KernelRan> bound(const KernelRan* /*of*/) { return kKernelRanFields; }

/// What was run, with or without the debugger.
struct ReplayedKernel {
  std::string capture;  ///< its id
  KernelRan kernel;
};
inline constexpr auto kReplayedKernelFields = bound_to<ReplayedKernel>(
    column<&ReplayedKernel::capture>("capture", "the capture, now open").as(Type::id),
    column<&ReplayedKernel::kernel>("kernel", "name, and hsaco_path: the code object that ran"));

std::vector<Column> replay_fields();
std::vector<Column> replay_columns();
/// The exit status is that of verification_failed when the captured code left other memory. The kernel's name is that of the series.
Document replay_document(ReplayedKernel of, const ReplayPlan& plan, const ReplaySeries& series,
                         TargetKind target);

}  // namespace rpl
