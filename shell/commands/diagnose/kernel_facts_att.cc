// SPDX-License-Identifier: MIT
// Facts of open thread traces and PC samples.
#include <fmt/format.h>

#include <algorithm>

#include "engine/att/analyse/summary.h"
#include "engine/base/text.h"
#include "engine/isa/traits/architecture.h"
#include "shell/commands/att/att_view.h"
#include "shell/commands/diagnose/kernel_facts.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

using diagnose::Facts;
using diagnose::Input;

constexpr double kLanes =
    isa::kWaveSize;  ///< of a wave, on the GPUs that can be traced and sampled

void add_cycles(const att::Summary& summary, Provenance provenance, const std::string& source,
                Facts& facts) {
  const auto whole = static_cast<double>(summary.cycles());
  if (whole <= 0) return;
  const auto share = [&](Input input, std::uint64_t part) {
    facts.add(input, static_cast<double>(part) / whole, source, provenance);
  };
  share(Input::wait_share, summary.wait_stall + summary.barrier_stall);
  share(Input::barrier_share, summary.barrier_stall);
  share(Input::stall_share, summary.totals.stall);
  const std::uint64_t issue = summary.totals.issue();
  if (issue >= summary.drain) share(Input::issue_share, issue - summary.drain);
  std::uint64_t branches = 0;
  for (const att::Category kind :
       {att::Category::jump, att::Category::next, att::Category::branch}) {
    const att::Cost& cost = summary.mix[static_cast<std::size_t>(kind)];
    branches += cost.latency + cost.idle;
  }
  share(Input::branch_share, branches);
  // Of the traced compute units alone, so anything that counted the whole device knows better.
  for (const auto& [input, pipe] : {std::pair{Input::valu_utilization, att::Category::valu},
                                    std::pair{Input::mfma_utilization, att::Category::matrix}}) {
    if (const auto used = summary.util_pct(pipe))
      facts.add(input, *used / 100, source, Provenance::estimated);
  }
}

/// Samples in which a wave waited.
std::uint64_t waiting_in(const att::Samples& samples) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < att::kStallReasons; ++i) {
    if (att::stall_reason_name(i).find("WAIT") != std::string_view::npos) out += samples.reasons[i];
  }
  return out;
}

void add_samples(const att::CodeTable& code, const std::string& source, Facts& facts) {
  std::uint64_t all = 0, waiting = 0, lanes = 0;
  bool reasons = false;
  for (const att::Samples& samples : code.samples) {
    all += samples.count();
    lanes += samples.lanes;
    for (const auto reason : samples.reasons) reasons |= reason != 0;
    waiting += waiting_in(samples);
  }
  if (all == 0) return;
  const auto count = static_cast<double>(all);
  if (reasons) facts.add(Input::sampled_wait_share, static_cast<double>(waiting) / count, source);
  if (lanes != 0)
    facts.add(Input::sampled_lanes, static_cast<double>(lanes) / count / kLanes, source);
}

/// Its instructions, with what each stalled as a share of the traced waves' time, or of the samples.
std::vector<findings::ListedInstruction> listed(const att::CodeTable& code, int gfxip) {
  std::uint64_t cycles = 0, samples = 0;
  for (const att::Samples& one : code.samples) samples += one.count();
  for (const att::Instruction& one : code.rows) cycles += one.latency + one.idle;
  std::vector<findings::ListedInstruction> out;
  for (std::size_t i = 0; i < code.rows.size(); ++i) {
    const att::Instruction& one = code.rows[i];
    if (one.label) continue;
    double stall = cycles == 0 ? 0 : static_cast<double>(one.stall) / static_cast<double>(cycles);
    if (!code.timed && samples > 0 && i < code.samples.size())
      stall = static_cast<double>(waiting_in(code.samples[i])) / static_cast<double>(samples);
    out.push_back({one.address, one.text, one.source, stall});
  }
  std::ranges::stable_sort(out, {}, &findings::ListedInstruction::address);
  findings::charge_waits(out, gfxip);
  return out;
}

/// The kernel of the trace that a thread trace is of; nullptr for none.
KernelFacts* kernel_named(AllFacts& all, const std::string& name) {
  // One of the two may be mangled, and the other as its recorder wrote it.
  const auto plain = [](std::string text) {
    for (const std::string_view suffix : {" (.kd)", ".kd"}) {
      if (text.ends_with(suffix)) text.resize(text.size() - suffix.size());
    }
    return short_kernel(demangled(text));
  };
  const std::string wanted = plain(name);
  const auto found = std::ranges::find_if(all.kernels, [&](const KernelFacts& kernel) {
    return !name.empty() && (kernel.name == name || plain(kernel.name) == wanted);
  });
  return found == all.kernels.end() ? nullptr : &*found;
}

}  // namespace

Status add_thread_traces(const Inputs& inputs, const RooflineArgs& args, AllFacts& all) {
  for (const auto& entry : inputs.workspace.thread_traces.all()) {
    const att::ThreadTrace& trace = *entry->value->trace;
    const std::string name = trace.kernel();
    const bool modelled = provenance_of(trace) == Provenance::modelled;
    // What was modelled says nothing of the dispatches that a GPU ran, whatever its name; nor the other way around.
    KernelFacts* kernel = kernel_named(all, name);
    if (kernel != nullptr && kernel->modelled != modelled) kernel = nullptr;
    const bool alone = kernel == nullptr;
    if (alone) {
      all.kernels.push_back({entry->id, name.empty() ? trace.path : name, 0, {}, modelled});
      kernel = &all.kernels.back();
    }
    if (trace.code.timed)
      add_cycles(att::summarise(trace), provenance_of(trace), entry->id, kernel->facts);
    // A recording of the emulated device has its counts, and other times than those of this one dispatch.
    if (trace.modelled && alone) TRY(add_modelled_dispatch(inputs, *trace.modelled, args, *kernel));
    add_samples(trace.code, entry->id, kernel->facts);
    if (kernel->code.empty()) kernel->code = listed(trace.code, trace.gfxip());
  }
  return {};
}

}  // namespace rpl
