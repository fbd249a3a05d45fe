// SPDX-License-Identifier: MIT
#include "engine/device/findings/cause.h"

#include <algorithm>
#include <array>

namespace rpl::findings {
namespace {

using cycle::Ideal;
using cycle::OperationKind;

constexpr std::array<CauseInfo, kCauses> kTable = {{
    {Cause::uncoalesced_load, "uncoalesced-load", Ideal::coalesced_loads, false, nullptr, "",
     "neighbouring lanes load from different lines",
     "have neighbouring work-items of PLACE load neighbouring elements: swap the indices, "
     "transpose the data, or load through LDS"},
    {Cause::uncoalesced_store, "uncoalesced-store", Ideal::coalesced_stores, false, nullptr, "",
     "neighbouring lanes store to different lines",
     "have neighbouring work-items of PLACE store neighbouring elements: swap the indices, or "
     "collect the results in LDS first"},
    {Cause::misaligned_access, "misaligned-access", Ideal::aligned_accesses, false, nullptr, "",
     "accesses begin beside the boundaries of lines, and each touches a line more",
     "have the first work-item of a wave begin at the boundary of a line at PLACE: align rows, or "
     "shift the indices"},
    {Cause::channel_camping, "channel-camping", Ideal::even_channels, false, nullptr, "",
     "rows lie a power of two apart and meet in one channel of the L2 or the memory",
     "pad the rows of the array of PLACE so that they lie no power of two of bytes apart"},
    {Cause::xcd_placement, "xcd-placement", Ideal::one_die, false, nullptr,
     "lines that an L2 loaded while the L2 of another die had them",
     "workgroups on different dies read the same data, each into an L2 of its own",
     "renumber the workgroups so that those that share what PLACE reads run on one die: workgroup "
     "i "
     "runs on die i modulo the number of dies"},
    {Cause::bank_conflicts, "lds-bank-conflicts", Ideal::no_bank_conflicts, false, nullptr, "",
     "lanes of an LDS access meet in a bank",
     "pad the rows of the LDS array of PLACE by an element, or swizzle its columns"},
    {Cause::spills, "register-spills", Ideal::no_spills, false, &OperationKind::scratch,
     "of the instructions are scratch accesses",
     "registers are kept in scratch memory, which is device memory",
     "need fewer registers at PLACE: smaller private arrays with constant indices, "
     "less unrolling, a wider __launch_bounds__"},
    {Cause::contended_atomics, "contended-atomics", Ideal::own_lines_for_atomics, false,
     &OperationKind::atomic, "", "many atomics meet in few lines and take turns",
     "add up in a register or in LDS first, and do one atomic of PLACE for each workgroup"},
    {Cause::load_imbalance, "load-imbalance", Ideal::balanced_workgroups, false, nullptr, "",
     "some waves or workgroups have far more to do than others",
     "divide the work of PLACE evenly: smaller pieces, taken by whoever is free, the long ones "
     "first"},
    {Cause::small_grid, "small-grid", Ideal::whole_device, false, nullptr, "",
     "the grid leaves most of the device without work",
     "launch more waves: divide the work of PLACE among more work-items"},
    {Cause::small_workgroups, "small-workgroups", Ideal::large_workgroups, false, nullptr, "",
     "so many small workgroups that handing them out takes longer than they do",
     "use workgroups of 256 work-items, or let each of them do more"},
    {Cause::unused_lanes, "unused-lanes", Ideal::all_lanes, false, nullptr, "",
     "the workgroup does not fill its waves, so lanes are never used",
     "use a workgroup size that is a multiple of 64"},
    {Cause::divergence, "divergence", Ideal::all_lanes, false, nullptr, "",
     "lanes of a wave take different ways, and each way is walked for all",
     "have all lanes of a wave take the same way at PLACE: sort the data by the condition, or "
     "compute both sides and select"},
    {Cause::barriers, "barriers", Ideal::free_barriers, false, &OperationKind::barrier,
     "of the instructions are barriers", "waves wait for each other at barriers",
     "take out the barrier of PLACE where no data passes between waves, or do more between two of "
     "them"},
    {Cause::register_limited, "register-limited-occupancy", Ideal::unlimited_registers, false,
     nullptr, "", "registers leave room for few waves, too few to hide what they wait for",
     "make the kernel need fewer registers, so that more waves fit"},
    {Cause::lds_limited, "lds-limited-occupancy", Ideal::unlimited_lds, false, nullptr, "",
     "LDS leaves room for few workgroups, too few to hide what they wait for",
     "use less LDS in a workgroup: smaller tiles or smaller types"},
    {Cause::invariant_loads, "loop-invariant-load", Ideal::reused_loads, false, nullptr,
     "loads of the waves that were followed repeat the one before",
     "a loop loads the same data in each turn",
     "load what PLACE reads once before the loop; mark pointers __restrict__, so that the compiler "
     "may do it"},
    {Cause::redundant_loads, "redundant-loads", Ideal::reused_loads, false, &OperationKind::load,
     "", "a wave loads again what it had loaded before",
     "keep what PLACE loads in a register or in LDS, and load it once"},
    {Cause::redundant_stores, "redundant-stores", Ideal::reused_stores, false, nullptr,
     "stores of the waves that were followed repeat the one before",
     "a wave writes the same lines again and again",
     "keep the value of PLACE in a register and store it once, after the loop"},
    {Cause::narrow_loads, "narrow-loads", Ideal::wide_loads, false, &OperationKind::load, "",
     "a wave loads one line piece by piece",
     "load 16 bytes at once at PLACE: float4, or an unrolled loop over aligned data"},
    {Cause::dependency_chain, "dependency-chain", Ideal::no_latency, false, nullptr,
     "loads of the waves that were followed need one that needs another, and so on",
     "each load needs what the one before it brought",
     "break the chain of loads of PLACE: follow several chains at once, store the links as arrays, "
     "or "
     "prefetch the next one"},
    {Cause::strict_waits, "strict-waits", Ideal::exact_waits, false, nullptr,
     "waits for loads that nothing needs yet, or not so soon",
     "waits are for more than what is needed, or long before it is",
     "wait later than at PLACE, and only for what is used next: s_waitcnt vmcnt(N) with the number "
     "of "
     "later loads, or leave waits to the compiler"},
    {Cause::matrix_units_idle, "matrix-units-idle", Ideal::matrix_units, false, nullptr,
     "products of loaded values that vector units added up",
     "a product of matrices is computed by the vector units, and the matrix units are idle",
     "compute the products of PLACE with MFMA instructions: rocWMMA, __builtin_amdgcn_mfma_*, or a "
     "library"},
    {Cause::integer_division, "integer-division", Ideal::no_division, false,
     &OperationKind::division, "of the instructions divide",
     "integer division or modulo, some twenty instructions each",
     "replace the division of PLACE: a shift or mask where the divisor is a power of two, else a "
     "counter that is carried along, or a constant divisor"},
    {Cause::transcendentals, "transcendentals", Ideal::no_transcendentals, false,
     &OperationKind::transcendental, "of the instructions are transcendental",
     "transcendental functions issue at a quarter of the rate",
     "compute the function of PLACE less often: hoist it, use a table or a polynomial, or a faster "
     "variant"},
    {Cause::double_precision, "double-precision", Ideal::no_double_precision, false,
     &OperationKind::double_precision, "of the instructions are of double precision",
     "values of 32 bit are computed in double precision",
     "write the constants of PLACE as float (1.0f) and call the float functions"},
    {Cause::conversions, "conversions", Ideal::no_conversions, false, &OperationKind::conversion,
     "of the instructions convert", "values are converted between types",
     "keep the values of PLACE in one type"},
    {Cause::accumulator_moves, "accumulator-moves", Ideal::no_accumulator_moves, false,
     &OperationKind::accumulator_move, "of the instructions move",
     "values are moved between vector and accumulation registers",
     "make the kernel need fewer vector registers around PLACE"},
    {Cause::host_memory, "host-memory-access", std::nullopt, false, nullptr, "",
     "a kernel reads or writes memory of the host, over the link",
     "copy what PLACE needs to memory of the device first (hipMalloc, hipMemcpyAsync)"},
    {Cause::page_migration, "page-migration", std::nullopt, false, nullptr, "",
     "a kernel uses managed memory, whose pages lie where they were used last",
     "bring what PLACE uses to the device first with hipMemPrefetchAsync, or use hipMalloc"},
    {Cause::flat_access, "flat-access", std::nullopt, false, &OperationKind::flat,
     "of the instructions are flat accesses",
     "addresses that may lie in memory or LDS wait for both",
     "let the compiler see where PLACE points: no volatile or generic pointers to LDS"},
    {Cause::instruction_cache, "instruction-cache", std::nullopt, false, nullptr, "",
     "code that runs repeatedly is larger than the instruction cache",
     "make the loop of PLACE smaller: unroll less, call functions in place of copies of them"},
    {Cause::address_translation, "address-translation", std::nullopt, false, nullptr, "",
     "lanes of one access lie in many pages, more than translations are kept for",
     "have the lanes of PLACE access addresses near each other: sort or block the accesses"},
    {Cause::dependent_loads, "dependent-loads", Ideal::no_latency, true, nullptr, "",
     "waves wait for memory, with bandwidth to spare",
     "load further ahead of the use at PLACE: unroll the loop, or have each wave take several "
     "independent elements"},
    {Cause::address_arithmetic, "address-arithmetic", Ideal::no_addressing, true,
     &OperationKind::addressing, "of the instructions compute addresses",
     "integer arithmetic of addresses takes the time",
     "carry pointers along in place of computing addresses at PLACE, and use 32-bit indices"},
    {Cause::short_dispatch, "short-dispatch", Ideal::no_launch, true, nullptr, "",
     "beginning and end of the dispatch are most of its time",
     "do more in one dispatch: fuse it with its neighbours, or launch it for more data"},
    {Cause::bandwidth_used_up, "bandwidth-used-up", std::nullopt, true, nullptr, "",
     "a bandwidth is used up by bytes that are needed",
     "move fewer bytes: fuse kernels, use a smaller type"},
    {Cause::compute_used_up, "compute-used-up", std::nullopt, true, nullptr, "",
     "the arithmetic units are busy with what must be computed",
     "compute less, in a smaller type, or on the matrix units"},
    {Cause::launch_bound, "launch-bound", std::nullopt, false, nullptr, "",
     "kernels are so short that launching them takes the time",
     "launch less often: fuse PLACE with its neighbours, or give one launch more of the work"},
    {Cause::host_sync_bound, "host-sync-bound", std::nullopt, false, nullptr, "",
     "the host waits for the device again and again, and the device for the host's next launch",
     "take PLACE out of the loop, or wait once for several rounds"},
    {Cause::pageable_copies, "pageable-copies", std::nullopt, false, nullptr, "",
     "memory that HIP did not allocate is copied through a buffer of the runtime, and the host "
     "waits",
     "allocate what PLACE copies with hipHostMalloc, or register it once"},
    {Cause::repeated_copies, "repeated-copies", std::nullopt, false, nullptr, "",
     "the same place of the host is copied to the same place of the device again and again",
     "copy the data of PLACE once, before the loop, or only what has changed"},
    {Cause::exposed_copies, "copies-not-overlapped", std::nullopt, false, nullptr, "",
     "copies and kernels take turns",
     "let copies run beside kernels: PLACE on a stream of its own, two buffers, pinned memory"},
    {Cause::copy_bound, "copy-bound", std::nullopt, true, nullptr, "",
     "copies between host and device are most of the time",
     "keep the data on the device between uses, or copy a smaller type with PLACE"},
    {Cause::stream_serialization, "stream-serialization", std::nullopt, false, nullptr, "",
     "streams with work of their own take turns though nothing recorded orders them",
     "let PLACE run beside the others: no null stream and no wait between them, streams made with "
     "hipStreamNonBlocking, events where one needs the other"},
    {Cause::idle_device, "idle-device", std::nullopt, false, nullptr, "",
     "the device runs nothing, and the host does something else",
     "keep the device busy during PLACE: prepare the next work on another thread while it runs"},
    {Cause::allocation_in_loop, "allocation-in-loop", std::nullopt, false, nullptr, "",
     "memory is allocated or freed between launches, and freeing waits for the device",
     "take PLACE out of the loop: allocate once, or use hipMallocAsync and hipFreeAsync"},
    {Cause::module_loading_in_loop, "module-loading-in-loop", std::nullopt, false, nullptr, "",
     "code is loaded or compiled between launches",
     "take PLACE out of the loop: load each module once and keep its functions"},
    {Cause::collective_wait, "collective-wait", std::nullopt, false, nullptr, "",
     "ranks wait for each other in collectives",
     "find out who comes late to PLACE: record all ranks, and divide the work between collectives "
     "evenly"},
    {Cause::straggler_rank, "straggler-rank", std::nullopt, false, nullptr, "",
     "one rank comes to most collectives last, and all others wait for it",
     "take work from PLACE, or find out what slows it down"},
    {Cause::nothing_of_note, "nothing-of-note", std::nullopt, true, nullptr, "",
     "no mechanism of the model costs enough to speak of", "leave the kernel as it is"},
}};

}  // namespace

std::span<const CauseInfo> causes() { return kTable; }

std::string remedy_at(Cause cause, std::string_view place) {
  constexpr std::string_view kMark = "PLACE", kAt = "at ";
  std::string out(info(cause).remedy);
  const std::size_t mark = out.find(kMark);
  if (mark == std::string::npos) return out;
  out.replace(mark, kMark.size(), place);
  const bool is_whole = place.starts_with("the ") && mark >= kAt.size();
  if (is_whole && out.compare(mark - kAt.size(), kAt.size(), kAt) == 0)
    out.replace(mark - kAt.size(), kAt.size(), "in ");
  return out;
}

std::optional<Cause> cause_named(std::string_view name) {
  const auto found = std::ranges::find(kTable, name, &CauseInfo::name);
  return found == kTable.end() ? std::nullopt : std::optional(found->cause);
}

bool from_text(std::string_view name, Cause& out) {
  const auto found = cause_named(name);
  if (found) out = *found;
  return found.has_value();
}

}  // namespace rpl::findings
