// SPDX-License-Identifier: MIT
#include "engine/replay/executed_sum.h"

#include <algorithm>
#include <utility>

namespace rpl {
namespace {

template <class T, class... Members>
void add_members(T& sum, const T& more, Members... members) {
  ((sum.*members += more.*members), ...);
}

void add_counts(emu::Counts& sum, const emu::Counts& more) {
  using Counts = emu::Counts;
  add_members(sum, more, &Counts::workgroups, &Counts::waves, &Counts::instructions,
              &Counts::active_lanes, &Counts::vector_instructions, &Counts::load_bytes,
              &Counts::store_bytes, &Counts::transactions, &Counts::lds_accesses,
              &Counts::lds_conflicts, &Counts::atomics, &Counts::lines, &Counts::l1_lines,
              &Counts::l2_lines, &Counts::memory_lines);
  for (std::size_t i = 0; i < sum.by_class.size(); ++i) sum.by_class[i] += more.by_class[i];
}

void add_caches(emu::CacheCounts& sum, const emu::CacheCounts& more) {
  using Caches = emu::CacheCounts;
  add_members(sum, more, &Caches::l1_lookups, &Caches::l1_misses, &Caches::l2_writes,
              &Caches::l2_atomics, &Caches::scalar_misses, &Caches::l2_hits, &Caches::l2_misses,
              &Caches::memory_read_bytes, &Caches::memory_write_bytes, &Caches::hbm_bytes,
              &Caches::l2_bytes);
}

/// Shares of two times, over both.
cycle::SharedBandwidth average(const emu::Modelled& one, const emu::Modelled& other) {
  const double whole = one.time_ns + other.time_ns;
  const auto over = [&](double a, double b) {
    return whole > 0 ? (a * one.time_ns + b * other.time_ns) / whole : 0;
  };
  return {.l2 = over(one.shared.l2, other.shared.l2),
          .mall = over(one.shared.mall, other.shared.mall),
          .memory = over(one.shared.memory, other.shared.memory)};
}

void add_modelled(emu::Modelled& sum, const emu::Modelled& more, double& longest_ns) {
  using Modelled = emu::Modelled;
  sum.shared = average(sum, more);
  if (more.time_ns > longest_ns) {
    longest_ns = more.time_ns;
    sum.time_class = more.time_class;
  }
  add_members(sum, more, &Modelled::cycles, &Modelled::simulated_workgroups,
              &Modelled::simulated_instructions, &Modelled::vmem_wait_cycles,
              &Modelled::lds_wait_cycles, &Modelled::wave_cycles, &Modelled::vector_busy_cycles,
              &Modelled::matrix_busy_cycles, &Modelled::lds_moved_bytes);
  sum.time_ns += more.time_ns;
  add_caches(sum.caches, more.caches);
  if (!sum.boundary || !more.boundary) return;
  sum.boundary->read_requests += more.boundary->read_requests;
  sum.boundary->write_64 += more.boundary->write_64;
  sum.boundary->write_32 += more.boundary->write_32;
}

/// A program that keeps the code object that it points into.
std::shared_ptr<const emu::Program> with_object(
    std::shared_ptr<const emu::Program> program,
    const std::shared_ptr<const isa::CodeObject>& object) {
  const emu::Program* const raw = program.get();
  return {
      std::make_shared<
          std::pair<std::shared_ptr<const emu::Program>, std::shared_ptr<const isa::CodeObject>>>(
          std::move(program), object),
      raw};
}

}  // namespace

void add_dispatch(emu::Executed& sum, emu::Executed later,
                  const std::shared_ptr<const isa::CodeObject>& object, double& longest_ns) {
  add_counts(sum.counts, later.counts);
  sum.grid_workgroups += later.grid_workgroups;
  sum.emulation_s += later.emulation_s;
  if (sum.modelled && later.modelled) add_modelled(*sum.modelled, *later.modelled, longest_ns);
  const auto known = [&](std::uint64_t page) { return sum.path->written_pages.contains(page); };
  if (sum.path && later.path && !std::ranges::all_of(later.path->written_pages, known)) {
    // The ways through another program do not compare; where it stored does.
    auto path = std::make_shared<emu::Path>(*sum.path);
    path->written_pages.insert(later.path->written_pages.begin(), later.path->written_pages.end());
    sum.path = std::move(path);
  }
  if (later.races.empty()) return;
  const auto program = with_object(std::move(later.program), object);
  for (emu::Race& race : later.races) {
    race.program = program;
    sum.races.push_back(std::move(race));
  }
}

}  // namespace rpl
