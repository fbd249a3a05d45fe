// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What differs between the architectures whose machine code this build knows, one row of architectures.inc for each. Code asks
/// for a trait and never for a name, so that an architecture is added in one place. What differs between products of one
/// architecture, or can be changed by users, is in engine/arch/data instead.
namespace rpl::isa {

/// An architecture of architectures.inc; the value is the number of its row.
enum class Arch : std::uint8_t {
#define RPL_ARCHITECTURE(arch, ...) arch,
#include "engine/isa/traits/architectures.inc"
#undef RPL_ARCHITECTURE
};

/// Groups of rows of the tables in engine/isa/code/opcodes, by the first ISA document that has the instruction and the last.
enum InstructionSet : std::uint8_t {
  kCdna2 = 1,
  kCdna3 = 2,
  kCdna4 = 4,
  kAll = kCdna2 | kCdna3 | kCdna4
};

/// The version of an ISA as HIP reports it: 9 and 4 of gfx942.
struct Version {
  int major = 0, minor = 0;
};

struct Traits {
  std::string_view name;  ///< as compilers take it: "gfx942"
  bool is_usual =
      false;  ///< what commands take when nothing names an architecture; true in one row
  std::uint32_t machine = 0;  ///< EF_AMDGPU_MACH, in the flags of a code object
  Version version;
  std::uint8_t instructions = 0;    ///< its InstructionSets together
  std::uint32_t wave_size = 0;      ///< lanes
  std::uint32_t max_workgroup = 0;  ///< work-items
  std::uint32_t vgpr_granule =
      0;  ///< registers of a step of the descriptor's count of vector registers
  std::uint32_t accum_granule = 0;    ///< the same of the first accumulation register
  std::uint32_t sgpr_granule = 0;     ///< in which profilers report scalar registers
  std::uint32_t lds_bytes = 0;        ///< of a compute unit, all of which one workgroup may take
  std::uint32_t lds_banks = 0;        ///< of kLdsBankBytes, each of which serves one access a cycle
  std::uint32_t lds_cycle_bytes = 0;  ///< that a compute unit's LDS moves in a cycle
  int wall_clock_khz = 0;             ///< of s_memrealtime and of HIP's wall clock

  /// Bit 13 of a flat instruction says whether a scratch access has a vector address. Otherwise the lack of a scalar one says so,
  /// and the bit makes loads go to LDS.
  bool has_scratch_address_bit = false;
  /// Cache policies are a scope of two bits and a hint (sc0, sc1, nt) instead of glc, slc and scc.
  bool has_scope_bits = false;
  /// Buffer loads into LDS may be of three and four dwords.
  bool has_wide_lds_loads = false;
  /// Hardware registers of number 20 and above: the die, and snapshots for sampling.
  bool has_snapshot_registers = false;
  /// BLGP of matrix instructions in f64 changes signs, and is written so.
  bool negates_double_matrix = false;
  bool has_fp8_matrix = false;
  /// Matrix instructions of formats of 8, 6 and 4 bits, with scales of blocks.
  bool has_scaled_matrix = false;
  /// 8-bit floats are those of the Open Compute Project (E4M3 up to 448, E5M2 with infinities), not FNUZ.
  bool has_ocp_floats = false;
  /// Matrix instructions with one block of elements narrower than f32 take half of the passes.
  bool has_fast_narrow_matrix = false;
  /// How matrix instructions in floats add was measured and published.
  bool has_known_matrix_sums = false;
  /// Matrix instructions in f64 take twice the passes.
  bool has_slow_double_matrix = false;
  /// Matrix instructions in f16 and bf16 round every sum of two and have no subnormal numbers; otherwise they add groups of products.
  bool adds_narrow_products_in_pairs = false;

  /// LLVM's disassembler marks literals that an inline constant could hold: "lit(0x9)".
  bool marks_literals = false;

  /// The ways of sampling program counters that rocprofv3 offers.
  bool has_host_trap_sampling = false, has_stochastic_sampling = false;

  std::string_view memory_counters;        ///< prefix of the L2's counters of memory: "TCC_EA0"
  std::uint32_t memory_request_bytes = 0;  ///< of a read request of the L2 to memory
  /// The L2's counters of hits and misses count lines, as the cycle model does, and TCC_BUBBLE the reads of whole ones.
  bool counts_whole_lines = false;
};

inline constexpr auto kTraits = std::to_array<Traits>({
#define RPL_ARCHITECTURE(arch, ...) {.name = #arch, __VA_ARGS__},
#include "engine/isa/traits/architectures.inc"
#undef RPL_ARCHITECTURE
});
inline constexpr std::size_t kArchCount = kTraits.size();

constexpr const Traits& traits(Arch arch) { return kTraits[static_cast<std::size_t>(arch)]; }
constexpr std::string_view to_string(Arch arch) { return traits(arch).name; }

/// All of them, in the order of the table.
constexpr std::array<Arch, kArchCount> architectures() {
  std::array<Arch, kArchCount> all{};
  for (std::size_t i = 0; i < kArchCount; ++i) all[i] = static_cast<Arch>(i);
  return all;
}

/// A value that every row shares, for code whose data is laid out for it. A row with another value does not compile, at the places
/// that have to learn it.
template <class T>
consteval T shared(T Traits::* member) {
  for (const Traits& row : kTraits) {
    if (row.*member != kTraits[0].*member) throw "the architectures differ here";
  }
  return kTraits[0].*member;
}
inline constexpr std::uint32_t kWaveSize = shared(&Traits::wave_size);
inline constexpr std::uint32_t kMaxWorkgroup = shared(&Traits::max_workgroup);
inline constexpr std::uint32_t kLdsCycleBytes = shared(&Traits::lds_cycle_bytes);
inline constexpr std::uint32_t kLdsBankBytes = 4;
/// The largest LDS of all, and the fewest and most banks.
inline constexpr std::uint32_t kMostLdsBytes =
    std::ranges::max_element(kTraits, {}, &Traits::lds_bytes)->lds_bytes;
inline constexpr std::uint32_t kFewestLdsBanks =
    std::ranges::min_element(kTraits, {}, &Traits::lds_banks)->lds_banks;
inline constexpr std::uint32_t kMostLdsBanks =
    std::ranges::max_element(kTraits, {}, &Traits::lds_banks)->lds_banks;

/// The architecture for which things are built and shown when nothing names another one.
inline constexpr Arch kUsualArch = [] {
  static_assert(std::ranges::count(kTraits, true, &Traits::is_usual) == 1);
  return static_cast<Arch>(std::ranges::find(kTraits, true, &Traits::is_usual) - kTraits.begin());
}();
/// Its name.
std::string usual_architecture();

/// The architecture of that name, nothing for one whose code this build does not know.
std::optional<Arch> find_architecture(std::string_view name);

/// All of them in the order in which code of one is preferred to that of another: the usual one, then newer before older.
std::vector<Arch> by_preference();

/// "gfx90a, gfx942 or gfx950", for texts: each with `prefix`, the last two with `conjunction` between them.
std::string architecture_names(std::string_view conjunction = " or ", std::string_view prefix = "");

/// "gfx90a, gfx942 or gfx950", as constant data.
inline constexpr auto kArchitectureNamesText = [] {
  std::array<char, 256> out{};
  auto* end = out.data();
  for (std::size_t i = 0; i < kArchCount; ++i) {
    const std::string_view between = i == 0 ? "" : i + 1 == kArchCount ? " or " : ", ";
    end = std::ranges::copy(kTraits[i].name, std::ranges::copy(between, end).out).out;
  }
  return out;
}();
inline constexpr const char* kArchitectureNames = kArchitectureNamesText.data();

/// The name of the first that has a trait, for "NAME and later"; "" for none.
std::string_view first_with(bool Traits::* trait);

/// Whether a target of LLVM is of AMD's RDNA generations, by the major version in its name: 10 and later.
bool is_rdna(std::string_view target);

}  // namespace rpl::isa
