// SPDX-License-Identifier: MIT
#include "engine/device/cycle/ideal.h"

#include <array>

namespace rpl::cycle {
namespace {

constexpr std::array<IdealInfo, kIdeals> kTable = {{
    {Ideal::coalesced_loads, "each load touches as few lines as its bytes fill"},
    {Ideal::coalesced_stores, "each store touches as few lines as its bytes fill"},
    {Ideal::wide_loads, "a wave loads what it takes from one line after the other at once"},
    {Ideal::wide_stores, "a wave stores what it writes to one line after the other at once"},
    {Ideal::reused_loads, "a wave loads no line again that it had before"},
    {Ideal::reused_stores, "a wave writes the same lines once, not again and again"},
    {Ideal::aligned_accesses, "no access touches a line more than its bytes fill"},
    {Ideal::no_bank_conflicts, "no lanes of an LDS access meet in a bank"},
    {Ideal::no_spills, "nothing is kept in scratch memory"},
    {Ideal::no_scratch_lines, "lines of the source that access scratch memory cost nothing"},
    {Ideal::all_lanes, "the work of lanes that are on is done by full waves"},
    {Ideal::fewer_scalars,
     "scalar instructions between those of few lanes are as few as full waves need"},
    {Ideal::balanced_workgroups, "all workgroups and their waves have equally much to do"},
    {Ideal::whole_device, "the work is spread over all compute units and their SIMDs"},
    {Ideal::unlimited_registers, "registers hold no wave back"},
    {Ideal::unlimited_lds, "LDS holds no workgroup back"},
    {Ideal::large_workgroups, "handing out workgroups and waves takes no time"},
    {Ideal::free_barriers, "no wave waits at a barrier"},
    {Ideal::own_lines_for_atomics, "no two atomics meet in a line"},
    {Ideal::even_channels, "lines are spread evenly over the channels of L2 and memory"},
    {Ideal::one_die, "no die reads what another has in its L2"},
    {Ideal::exact_waits, "waits are where what they wait for is needed, and for no more than that"},
    {Ideal::no_latency, "memory answers at once, at the bandwidth that it has"},
    {Ideal::no_lds_latency, "the LDS answers at once, at the bandwidth that it has"},
    {Ideal::matrix_units, "sums of products of what was loaded are computed by the matrix units"},
    {Ideal::no_division, "integer division and modulo cost nothing"},
    {Ideal::no_transcendentals,
     "transcendental instructions issue as fast as others, and functions around them are short"},
    {Ideal::no_conversions, "no value is converted between types"},
    {Ideal::no_double_precision,
     "no value is converted, and functions take the instructions that they take in float"},
    {Ideal::no_addressing, "integer arithmetic of addresses costs nothing"},
    {Ideal::no_accumulator_moves, "nothing is moved between vector and accumulation registers"},
    {Ideal::no_launch, "beginning and end of the dispatch take no time"},
}};

}  // namespace

std::span<const IdealInfo> ideals() { return kTable; }

}  // namespace rpl::cycle
