// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/device/execute/state/memory.h"
#include "engine/isa/code/program_text.h"
#include "engine/isa/traits/architecture.h"

/// The state that instructions work on, and the internal form that they are decoded to once.
namespace rpl::emu {

inline constexpr unsigned kLanes = isa::kWaveSize;
inline constexpr std::uint64_t kAllLanes = ~std::uint64_t{0};

/// The high dwords of flat addresses that mean LDS and scratch; the low dword is the offset there.
inline constexpr std::uint32_t kSharedBaseHigh = 0x10000, kPrivateBaseHigh = 0x20000;

/// One register of a wave: a dword for each lane.
struct alignas(64) LaneRegister {
  std::array<std::uint32_t, kLanes> lane{};
};

/// Memory that begins at a line of the host's caches, as rows of 16 dwords should.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};
  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
  }
  void deallocate(T* at, std::size_t) { ::operator delete(at, kAlignment); }
  bool operator==(const LineAllocator&) const = default;
};
using LdsBytes = std::vector<std::byte, LineAllocator<std::byte>>;

/// Functions that a wave is in, of which is known who called them.
inline constexpr std::size_t kMostCalls = 4096;

/// A wave in flight.
struct Wave {
  std::vector<LaneRegister>
      vgprs;  ///< architectural ones, then from Program::first_agpr the accumulation ones
  std::array<std::uint32_t, 128> sgprs{};  ///< with vcc, m0 and exec at their operand numbers
  std::uint32_t pc = 0;                    ///< index of the next operation
  bool scc = false;
  std::uint32_t mode = 0;  ///< the MODE register (mode.h)
  std::uint64_t rounds_by =
      0;  ///< not 0: what draws for each float operation whether it rounds up or down
  bool moves_results = false;      ///< see Variation::moved_results
  std::uint32_t id = 0;            ///< within the workgroup
  std::uint32_t workgroup = 0;     ///< linear number in the grid
  bool held = false;               ///< in drawn order: goes on when no other wave can
  std::vector<std::byte> scratch;  ///< lane after lane
  std::vector<std::uint32_t>
      calls;  ///< operations to which the functions return that it is in, outermost first; at most kMostCalls
  enum class State : std::uint8_t {
    ready,
    at_barrier,
    at_grid_barrier,  ///< waits for waves of other workgroups at a counter of WaveSync
    ended
  } state = State::ready;
  std::uint8_t counter = 0;          ///< of WaveSync
  std::uint32_t met_at_counter = 0;  ///< how often all had met there when it arrived

  [[nodiscard]] std::uint32_t* vector(unsigned number) { return vgprs[number].lane.data(); }
  [[nodiscard]] std::uint64_t pair(unsigned number) const {
    std::uint64_t value;
    std::memcpy(&value, &sgprs[number], sizeof(value));
    return value;
  }
  void set_pair(unsigned number, std::uint64_t value) {
    std::memcpy(&sgprs[number], &value, sizeof(value));
  }
  [[nodiscard]] std::uint64_t exec() const { return pair(isa::kExecLo); }
  [[nodiscard]] std::uint64_t vcc() const { return pair(isa::kVccLo); }
};

/// Of operations that may access memory.
inline bool touches_memory(isa::Class kind) {
  return kind == isa::Class::vmem || kind == isa::Class::lds || kind == isa::Class::smem;
}

/// How the addresses of 64 lanes lie in groups of 16: a row of dwords, one address, or in another way; in the latter, near have one high dword.
enum class LaneShape : std::uint8_t { any, near, rows, same };
inline constexpr unsigned kGroups = 4, kOfGroup = kLanes / kGroups;
/// Addresses of the first lanes of the groups; where they are near, what to add to the low dwords.
using Starts = std::array<std::uint64_t, kGroups>;

/// The addresses of the last memory operation of a wave, for those who count or model it.
struct Access {
  /// The address of scratch is the offset within that of the lane.
  enum class Space : std::uint8_t { none, global, lds, scalar, scratch } space = Space::none;
  bool store = false, atomic = false;
  std::uint32_t bytes = 0;  ///< for a lane
  /// Rows or same: all lanes are active, and where they go follows from `starts`; spread() writes `address`. Else it is written.
  LaneShape shape = LaneShape::any;
  Starts starts{}, second_starts{};
  std::uint64_t active = 0;
  alignas(64) std::array<std::uint64_t, kLanes> address{};  ///< of inactive lanes meaningless
  bool two_parts = false;                                   ///< ds_read2, ds_write2
  /// Of a load whose data goes to LDS, at second_address: the bytes of each lane; else 0.
  std::uint8_t into_lds = 0;
  alignas(64) std::array<std::uint64_t, kLanes> second_address{};

  /// Where the first active lane goes.
  [[nodiscard]] std::uint64_t first() const {
    return shape != LaneShape::any ? starts[0]
                                   : address[static_cast<unsigned>(std::countr_zero(active))];
  }
};

/// Where an operation went last time, in whatever wave.
struct LastAccess {
  const Region* region = nullptr;
  std::uint64_t low = 0;  ///< the lowest address
};

/// Why a wave stopped. The message says everything: kernel, pc, mnemonic, address, wave and lane.
struct Fault {
  Errc code = Errc::internal;
  std::string message;
};

struct Machine;
struct Op;
struct VectorEntry;
class WaveSync;

/// Executes one operation. False ends the wave's turn: it ended, waits at a barrier, sleeps, or faulted.
using Handler = bool (*)(Machine&, Wave&, const Op&);
/// Computes all 64 lanes of a result. Sources and result may be the same registers.
using LaneFunction = void (*)(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                              const std::uint32_t* c);
/// Computes one bit for each lane.
using MaskFunction = std::uint64_t (*)(const std::uint32_t* a, const std::uint32_t* b,
                                       const std::uint32_t* c);

/// How a lane function understands a source or result. Pairs are packed: two halves of a dword, or two dwords.
enum class Type : std::uint8_t {
  none,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64,
  u16x2,
  f16x2,
  bf16x2,
  f32x2
};

struct Source {
  enum class Kind : std::uint8_t { none, vector, scalar, constant, special } kind = Kind::none;
  Type type = Type::u32;
  std::uint16_t number = 0;  ///< a register, or a ScalarCode for special
  std::uint64_t value = 0;   ///< of a constant
  const std::uint32_t* lanes =
      nullptr;  ///< of a constant: broadcast, low dwords and then high dwords
  const isa::Operand* operand =
      nullptr;  ///< with the modifiers of a vector instruction; null for an implied source
};

/// What a change of MODE's rounding alone means for an instruction.
enum class UnderRounding : std::uint8_t {
  by_mode,  ///< to be looked at in MODE
  as_host,  ///< its usual handler follows the host's rounding
  alike,    ///< nothing
};

/// Of Op::followed.
inline constexpr std::uint8_t kMostIdle = 8;

/// One instruction in internal form.
/// What running it needs most comes first, in two lines of the host's caches.
struct alignas(64) Op {
  Handler handler = nullptr;
  std::uint16_t destination = 0;         ///< a vector register, or an SGPR for scalar operations
  std::uint16_t scalar_destination = 0;  ///< of carries and comparisons
  std::uint32_t target = 0;              ///< of a branch: an operation; else operation-specific
  std::array<Source, 3> sources;
  std::uint16_t data = 0, data2 = 0;  ///< vector registers of memory operands
  std::uint8_t dwords = 0;            ///< of memory data
  std::uint8_t source_count = 0;
  std::uint8_t uniform = 0;   ///< which source is scalar, from 1 on, where one alone is
  std::uint8_t followed = 0;  ///< by how many that do nothing, of which none is the last
  Type result = Type::u32;
  bool writes_exec = false;  ///< v_cmpx
  bool dressed = false;      ///< has modifiers, SDWA or DPP: takes the slow path
  bool may_move = false;     ///< is_arithmetic(), of a stateful program
  UnderRounding under_rounding = UnderRounding::by_mode;  ///< of a stateful program
  isa::Class kind = isa::Class::other;
  Handler usual =
      nullptr;  ///< what a handler that looks at the state of the wave calls in the usual state
  const VectorEntry* entry = nullptr;  ///< of a vector instruction that has one
  LaneFunction lanes = nullptr;
  MaskFunction mask = nullptr;
  const isa::Instruction* instruction = nullptr;
  std::uint64_t address = 0;  ///< relative to the load base
};

/// A kernel's code ready to execute. Immutable; shared by every wave.
struct Program {
  isa::Arch arch{};
  std::string kernel;
  const isa::CodeObject* object =
      nullptr;  ///< outlives the program; for saying where in the source something happened
  std::vector<isa::Located> text;
  std::vector<Op> ops;
  std::vector<std::vector<LaneRegister>> constants;
  std::vector<std::uint32_t>
      index_of;  ///< by (address - first_address) / 4; kNoOp between instructions
  std::uint64_t first_address = 0;
  std::uint32_t entry = 0;
  std::uint32_t first_agpr = 0;
  std::uint32_t vgprs = 0;
  bool stateful =
      false;  ///< its vector instructions look at MODE or at the register index (state.h)
  bool skips =
      false;  ///< it may set VSKIP, in which its vector instructions do nothing; also stateful
  static constexpr std::uint32_t kNoOp = ~std::uint32_t{0};
};

/// Twice the widest access of a lane.
inline constexpr std::uint32_t kBeyondLdsBytes = 2 * sizeof(std::array<std::uint32_t, 4>);

/// What the waves of one workgroup share, and where their effects go.
struct Machine {
  const Program* program = nullptr;
  Memory* memory = nullptr;
  std::uint64_t load_base = 0;  ///< device address of the code object's address zero
  std::span<std::byte> lds;     ///< of the workgroup whose wave runs
  bool beyond_lds =
      false;  ///< kBeyondLdsBytes lie behind `lds`: zeros, and what takes writes that are dropped
  std::uint32_t scratch_bytes = 0;  ///< for a lane
  std::uint64_t clock = 0;          ///< cycles or, without a model, instructions
  Access access;
  std::optional<Fault> fault;
  std::vector<LastAccess> last_access;  ///< by operation
  /// Someone looks at the addresses of `access`; else loads and stores may leave them out.
  bool observed = true;
  bool shared =
      false;  ///< other threads run on the same memory: atomics must be atomic for them too
  WaveSync* wave_sync = nullptr;  ///< of the launch
  bool slept = false;  ///< the wave that ran last asked to wait (s_sleep): others go on first

  /// Notes a fault at `op` and returns false.
  bool stop(const Wave& wave, const Op& op, Errc code, std::string_view what);
};

}  // namespace rpl::emu
