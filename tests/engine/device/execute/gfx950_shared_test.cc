// SPDX-License-Identifier: MIT
// Every instruction that gfx950 shares with gfx942 executed on both, on the same registers, LDS and memory: what it leaves is equal, but for those that are known to differ.
// What only gfx950 has is in later_vector_test.cc, scaled_*_test.cc, lds_transpose_test.cc and matrix_*_test.cc.
#include <gmock/gmock.h>

#include <set>

#include "tests/engine/device/execute/one_instruction.h"
#include "tests/engine/device/execute/small_oracle.h"

namespace rpl::emu::gfx950_shared {
namespace {

using isa::Arch;
using isa::Encoding;
using Words = std::array<std::uint32_t, 2>;

constexpr std::size_t kBytes = 4096;

/// Operands that every instruction of the encoding takes: sources v0, v2, v4 or s8, s10; addresses in v[0:1], small ones in v6; data in v2; results in v8 or s24.
std::optional<Words> words_of(const isa::Opcode& opcode) {
  const std::uint32_t code = opcode.code;
  switch (opcode.encoding) {
    case Encoding::sop1:
      return Words{0xbe800000U | 24U << 16 | code << 8 | 8U};
    case Encoding::sop2:
      return Words{0x80000000U | code << 23 | 24U << 16 | 10U << 8 | 8U};
    case Encoding::sopc:
      return Words{0xbf000000U | code << 16 | 10U << 8 | 8U};
    case Encoding::sopk:
      // All bits of MODE where a number is one of a hardware register.
      return Words{0xb0000000U | code << 23 | 24U << 16 |
                   (opcode.name().find("reg_") != std::string_view::npos ? 0xf801U : 0x1234U)};
    case Encoding::smem:
      return Words{0xc0020000U | code << 18 | 24U << 6 | 8U / 2, 0x40};
    case Encoding::vop3:
    case Encoding::vop3p:
      return long_words(opcode, {});
    case Encoding::ds:
      return Words{0xd8000000U | code << 17, 8U << 24 | 4U << 16 | 2U << 8 | 6U};
    case Encoding::flat:
      return Words{0xdc000000U | code << 18, 8U << 24 | 0x7fU << 16 | 2U << 8};
    case Encoding::global:
      return Words{0xdc008000U | code << 18, 8U << 24 | 0x7fU << 16 | 2U << 8};
    case Encoding::scratch:
      return Words{0xdc004000U | code << 18, 8U << 24 | 0x7fU << 16 | 2U << 8 | 6U};
    case Encoding::mubuf:
      return Words{0xe0001000U | code << 18, 0x80U << 24 | 1U << 16 | 8U << 8 | 6U};
    case Encoding::mtbuf:
      return Words{0xe8001000U | code << 15 | 4U << 19 | 7U << 23,
                   0x80U << 24 | 1U << 16 | 8U << 8 | 6U};
    default:
      return std::nullopt;
  }
}

/// One architecture's machine, filled by a seed.
struct Side {
  Side(Arch arch, std::uint32_t seed) : one(arch) {
    small_oracle::Random random(seed);
    for (auto& byte : lds) byte = static_cast<std::byte>(random());
    for (std::size_t i = 0; i < kBytes; ++i) region().host[i] = static_cast<std::byte>(random());
    for (unsigned i = 0; i < 64; ++i)
      for (unsigned lane = 0; lane < kLanes; ++lane) one.wave.vector(i)[lane] = random();
    for (unsigned i = 0; i < 100; ++i) one.wave.sgprs[i] = random();
    one.wave.set_pair(isa::kVccLo, std::uint64_t{random()} << 32 | random());
    one.wave.scc = seed % 2 != 0;
    LaneValues pointers{}, offsets{};
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      offsets[lane] = 256 + 16 * lane;
      pointers[lane] = region().base + offsets[lane];
    }
    one.set(0, pointers);
    one.set(6, offsets);
    const std::uint32_t descriptor[] = {static_cast<std::uint32_t>(region().base),
                                        static_cast<std::uint32_t>(region().base >> 32), kBytes,
                                        0x00027000};
    std::copy_n(descriptor, 4, &one.wave.sgprs[4]);
    one.wave.set_pair(8, region().base);
    one.wave.sgprs[isa::kM0] = 0;
    one.wave.scratch.resize(kLanes * kBytes);
    one.machine.scratch_bytes = kBytes;
    one.machine.lds = lds;
    one.machine.memory = &memory;
    one.machine.last_access.resize(1);
    one.program.ops.resize(1);
  }
  const Region& region() {
    if (region_ == nullptr) region_ = &memory.allocate(kBytes, "data");
    return *region_;
  }
  bool run(std::span<const std::uint32_t> words) {
    decoded = isa::decode(one.program.arch, words);
    if (!decoded) return false;
    Op& op = one.program.ops[0];
    op = lowered(one.program, *decoded, 0);
    return op.handler(one.machine, one.wave, op);
  }
  [[nodiscard]] bool leaves_what(Side& other) {
    for (unsigned i = 0; i < 64; ++i)
      if (!std::equal(one.wave.vector(i), one.wave.vector(i) + kLanes, other.one.wave.vector(i)))
        return false;
    return one.wave.sgprs == other.one.wave.sgprs && one.wave.scc == other.one.wave.scc &&
           lds == other.lds && one.wave.scratch == other.one.wave.scratch &&
           std::equal(region().host, region().host + kBytes, other.region().host);
  }

  OneInstruction one;
  LdsBytes lds = LdsBytes(kBytes);
  Memory memory;
  std::optional<isa::Instruction> decoded;

 private:
  const Region* region_ = nullptr;
};

TEST(Gfx950Shared, LeavesWhatGfx942Leaves) {
  const unsigned both[] = {isa::traits(Arch::gfx942).instructions,
                           isa::traits(Arch::gfx950).instructions};
  std::set<std::string> executed, differ, refused;
  for (const isa::Opcode& opcode : isa::opcodes()) {
    if ((opcode.archs & both[0]) == 0 || (opcode.archs & both[1]) == 0) continue;
    const auto words = words_of(opcode);
    if (!words) continue;
    const std::string name(opcode.name());
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
      Side older(Arch::gfx942, seed), newer(Arch::gfx950, seed);
      const bool ran = older.run(*words);
      if (newer.run(*words) != ran) differ.insert(name + " in running");
      if (!ran) {
        refused.insert(name);
        continue;
      }
      executed.insert(name);
      if (!older.leaves_what(newer)) differ.insert(name);
    }
  }
  for (const auto& name : refused) executed.erase(name);
  // Floats of 8 bits are others there: those of the Open Compute Project.
  for (const auto& name : differ)
    EXPECT_THAT(name, testing::ContainsRegex("_(fp8|bf8)(_[a-z0-9_]+)?$"));
  EXPECT_EQ(differ.size(), 22U);
  // Jumps find no code here, and scratch of scalar memory and barriers of all workgroups no launch; the others have no semantics.
  EXPECT_THAT(
      refused,
      testing::ElementsAre(
          "ds_gws_barrier", "ds_gws_sema_br", "ds_gws_sema_p", "ds_gws_sema_release_all",
          "ds_gws_sema_v", "s_call_b64", "s_cbranch_g_fork", "s_cbranch_i_fork", "s_rfe_b64",
          "s_rfe_restore_b64", "s_scratch_load_dword", "s_scratch_load_dwordx2",
          "s_scratch_load_dwordx4", "s_scratch_store_dword", "s_scratch_store_dwordx2",
          "s_scratch_store_dwordx4", "s_setpc_b64", "s_swappc_b64", "v_screen_partition_4se_b32"));
  EXPECT_EQ(executed.size(), 1087U);
}

// The one memory instruction that gfx950 alone has beside its sibling.
TEST(Gfx950Shared, PairsOfBfloatsAreAddedInBuffersAsInGlobalMemory) {
  const auto words = [](Encoding encoding, const char* name, unsigned data) {
    const isa::Opcode* opcode = find_by_name(name, Arch::gfx950, {encoding});
    Words out = opcode == nullptr ? Words{} : *words_of(*opcode);
    out[1] = encoding == Encoding::mubuf ? (out[1] & ~0xff00U) | data << 8 : out[1];
    return out;
  };
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    Side buffer(Arch::gfx950, seed), global(Arch::gfx950, seed);
    ASSERT_TRUE(buffer.run(words(Encoding::mubuf, "buffer_atomic_pk_add_bf16", 2)));
    ASSERT_TRUE(global.run(words(Encoding::global, "global_atomic_pk_add_bf16", 2)));
    EXPECT_TRUE(buffer.leaves_what(global));
    EXPECT_FALSE(buffer.leaves_what(*std::make_unique<Side>(Arch::gfx950, seed)));
  }
}

}  // namespace
}  // namespace rpl::emu::gfx950_shared
