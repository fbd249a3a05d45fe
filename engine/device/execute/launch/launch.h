// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/base/monitor.h"
#include "engine/device/cycle/stream.h"
#include "engine/device/cycle/time_band.h"
#include "engine/device/cycle/write_back.h"
#include "engine/device/execute/launch/counts.h"
#include "engine/device/execute/launch/path.h"
#include "engine/device/execute/launch/program.h"
#include "engine/device/execute/launch/variation.h"
#include "engine/device/execute/state/races.h"

namespace rpl::cycle {
struct Parameters;
struct LaunchRecord;
class MemoryState;
}  // namespace rpl::cycle

namespace rpl::emu {

using Size3 = std::array<std::uint32_t, 3>;

/// What a packet processor finds in memory, by device address.
struct PlacedPacket {
  std::uint64_t packet = 0, kernarg = 0, queue = 0;
  std::uint32_t scratch_bytes = 0;  ///< for a work-item
};

/// One dispatch: what to run and on what. The memory must outlive it.
struct Launch {
  std::shared_ptr<const isa::CodeObject> object;
  const isa::Kernel* kernel = nullptr;  ///< of `object`
  Size3 grid{1, 1, 1};                  ///< work-items
  Size3 workgroup{1, 1, 1};             ///< work-items
  std::uint32_t dynamic_lds_bytes = 0;
  std::vector<std::byte>
      arguments;  ///< the explicit part of the kernarg segment, laid out as the metadata says
  /// Where the code object lies already. execute() then leaves nothing behind in the memory; without it, it loads the object again.
  std::optional<std::uint64_t> load_base = std::nullopt;
  std::shared_ptr<const Program> program = nullptr;  ///< of `kernel`, when it was decoded before
  /// Hidden arguments that only a host runtime knows, by their kind in the metadata: "hidden_hostcall_buffer". Without "hidden_multigrid_sync_arg"
  /// among them, a kernel that asks for it gets what a cooperative launch gives.
  std::vector<std::pair<std::string, std::uint64_t>> hidden = {};
  /// Instead of `arguments` and `hidden`: all of it was written by someone else. execute() then does not change the set of allocations.
  std::optional<PlacedPacket> placed = std::nullopt;
  /// It ran with this workgroup on a device, none of which checks what the compiler was promised of it (.max_flat_workgroup_size): that is no bound then.
  bool ran_so = false;
};

enum class Mode { functional, counted, modelled };

struct ExecuteOptions {
  Mode mode = Mode::counted;
  /// Wave-instructions after which the launch fails with limit; 0 = no limit.
  std::uint64_t max_instructions = 0;
  /// Threads that share the workgroups out, functional and counted; 0 = one for each core. With 1 they run in a fixed order, so
  /// that atomics of floats and kernels with races give the same in every run.
  unsigned threads = 1;
  /// Waves to run at most; the workgroups are then an even sample of the grid. 0 = all. Not for the cycle model.
  std::uint64_t max_waves = 0;
  /// Looks for unordered accesses of the waves of a workgroup, functional and counted.
  bool find_races = false;
  /// Looks for unordered accesses of different workgroups too (GridRaces), on one thread, functional and counted.
  bool find_grid_races = false;
  /// Of both, of a build that shows what a source promises: LaneRaces too, and where atomics have bits of scope those without the bit of wide scopes are none between workgroups (of which only stores are then followed).
  bool marked_build = false;
  /// Of both: reads of global memory are followed on the pages that this path of an equal launch wrote. Null: on all.
  std::shared_ptr<const Path> pages = nullptr;
  /// Notes which way the launch takes; on one thread, functional and counted.
  bool watch_path = false;
  /// With watch_path: Path::trace too, which takes three times as long.
  bool trace_path = false;
  /// On one thread where it is not the plain one; functional and counted.
  Variation variation = {};
  /// The host or other launches use the same memory meanwhile: atomics are atomic for them too, and a kernel that waits for them is no
  /// deadlock. Functional and counted.
  bool others_use_memory = false;
  /// LDS behind the workgroup's own reads as zero and is not written, as on hardware; else an access there is a fault. Not with find_races.
  bool reads_beyond_lds = false;
  /// Fails with interrupted once it is true. Functional and counted.
  const std::atomic<bool>* cancel = nullptr;
  /// Of the cycle model: the GPU whose constants it takes, "MI300X"; empty: the usual product of the code's architecture.
  std::string gpu = {};
  /// Its constants instead, for those who have files of their own. Null: the program's.
  std::shared_ptr<const cycle::Parameters> parameters = nullptr;
  /// What launches before left behind in the memory side of the device, and this one leaves, for the cycle model. Null: each launch is the device's first.
  std::shared_ptr<cycle::MemoryState> memory_state = nullptr;
  /// Keeps the times of every instruction of the simulated compute unit.
  bool keep_trace = false;
  /// Keeps what the cycle model takes, to time the launch again.
  bool keep_record = false;
  /// Follows every access at the boundary of L2 and memory, with the cycle model; its times stay the same.
  bool count_boundary = false;
  Monitor monitor = {};
};

/// What the cycle model's caches saw: tags with least-recently-used replacement, cold at the start; sums of the lines by instruction
/// (InstructionCounts). The shares that a compute unit's own caches had are those of the simulated one; the L2 and what lies behind it are followed for all
/// workgroups, in long launches for a sample of the lines.
struct CacheCounts {
  std::uint64_t l1_lookups = 0;     ///< lines that loads asked the vector L1 for; exact
  std::uint64_t l1_misses = 0;      ///< those of them that went on to the L2: its read requests
  std::uint64_t l2_writes = 0;      ///< 64-byte requests of stores, which go through the L1; exact
  std::uint64_t l2_atomics = 0;     ///< 64-byte requests of atomics; exact
  std::uint64_t scalar_misses = 0;  ///< lines of scalar accesses that the scalar cache did not have
  std::uint64_t l2_hits = 0, l2_misses = 0;  ///< of lines of the vector L1's size, reads and writes
  std::uint64_t memory_read_bytes = 0,
                memory_write_bytes = 0;  ///< between the L2 and what lies behind it
  std::uint64_t hbm_bytes = 0;           ///< of both, what the Infinity Cache does not have
  std::uint64_t l2_bytes =
      0;  ///< between the L2 and the compute units: lines of loads, requests of stores, atomics and scalar loads
};

/// What a cycle model says of a launch. Modelled, never measured.
struct Modelled {
  std::string model;                      ///< name, version and GPU, "rpl-cycle/0.5 MI300X"
  std::string gpu;                        ///< "MI300X"
  Size3 grid{}, workgroup{};              ///< work-items
  std::uint32_t workgroup_lds_bytes = 0;  ///< static and dynamic
  std::uint64_t cycles = 0;               ///< of the dispatch, launch and drain among them
  double time_ns = 0;
  cycle::TimeClass time_class = cycle::TimeClass::mixed;
  cycle::Bands bands;             ///< of the GPU
  cycle::SharedBandwidth shared;  ///< what other kernels at the same time do not get
  double clock_mhz = 0;
  std::uint32_t simds = 0, waves_per_simd = 0;  ///< of a compute unit of the device
  std::uint32_t compute_units = 0;              ///< of the device
  std::uint32_t resident_waves = 0;             ///< on one compute unit
  std::uint32_t simulated_workgroups =
      0;  ///< in detail, on one compute unit; the device is extrapolated from them
  std::uint64_t simulated_instructions = 0;
  std::uint64_t vmem_wait_cycles = 0,
                lds_wait_cycles = 0;  ///< of waves at s_waitcnt, summed over the launch
  std::uint64_t wave_cycles = 0;      ///< lifetimes of all waves, summed
  std::uint64_t
      vector_busy_cycles = 0,
      matrix_busy_cycles =
          0;  ///< of the SIMDs of the device, summed: what its instructions keep these units busy
  std::uint64_t lds_moved_bytes = 0;  ///< at the full width of each LDS access
  CacheCounts caches;
  std::optional<cycle::BoundaryCounts> boundary;  ///< when it was asked for

  /// The ends of the time's band; nothing where the files have none.
  [[nodiscard]] std::optional<double> low_ns() const { return bands.low_of(time_class, time_ns); }
  [[nodiscard]] std::optional<double> high_ns() const { return bands.high_of(time_class, time_ns); }
};

/// The simulated compute unit, instruction by instruction.
struct ModelledTrace {
  std::vector<cycle::WaveTimes> waves;  ///< their streams are those below
  std::vector<std::unique_ptr<cycle::WaveStream>> streams;
  bool cut = false;  ///< waves were longer than what is kept of them
};

struct Executed {
  Counts counts;  ///< by_instruction and what derives from it are empty in functional mode
  std::uint64_t grid_workgroups =
      0;  ///< of the whole launch; more than counts.workgroups when only a sample ran
  std::vector<Race> races;           ///< in the order of the code
  std::shared_ptr<const Path> path;  ///< when it was asked for
  std::optional<Modelled> modelled;
  std::shared_ptr<const ModelledTrace> trace;         ///< when it was asked for
  std::shared_ptr<const cycle::LaunchRecord> record;  ///< when it was asked for
  std::shared_ptr<const Program> program;
  double emulation_s =
      0;  ///< processor time that executing took, of all threads; not part of any modelled time

  [[nodiscard]] bool sampled() const { return counts.workgroups < grid_workgroups; }
};

/// Half-width of the band of the ratio of two modelled times (cycle::Bands); nothing where one was not modelled, or the files have none.
std::optional<double> ratio_band(const Executed& one, const Executed& other);

/// The kernarg segment of a launch: its arguments, and the hidden ones that follow from grid and workgroup. Hidden pointers to what
/// only a host runtime has stay zero. Fails with usage when the arguments are larger than the segment.
Result<std::vector<std::byte>> kernarg_of(const Launch& launch);

/// Loads the code object into `memory`, builds the kernarg segment with its hidden arguments and runs every workgroup.
/// Deterministic with one thread: equal launches give equal memory, counts and cycles; with several for kernels whose workgroups
/// do not race. Fails with usage for a launch that hardware would
/// refuse, verification_failed for a memory fault, a trap or a deadlock, unsupported for an instruction or feature without semantics,
/// limit, or interrupted. A barrier waits for those waves of its workgroup that have not ended, as on hardware (CDNA ISA
/// documents, S_BARRIER).
Result<Executed> execute(Memory& memory, const Launch& launch, const ExecuteOptions& options = {});

}  // namespace rpl::emu
