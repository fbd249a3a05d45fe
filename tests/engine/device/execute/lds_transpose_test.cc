// SPDX-License-Identifier: MIT
// ds_read_b64_tr_* and loads of several dwords into LDS, each beside the definition on a matrix of numbered elements.

#include "tests/engine/device/execute/one_instruction.h"
#include "tests/engine/device/execute/small_oracle.h"

namespace rpl::emu::lds_transpose {
namespace {

struct Case {
  unsigned code, bits, dwords;
};
constexpr Case kCases[] = {{0xe3, 16, 2}, {0xe2, 8, 2}, {0xe0, 4, 2}, {0xe1, 6, 3}};

std::uint32_t get(const std::uint8_t* bytes, unsigned bit, unsigned width) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < width; ++i)
    value |= (std::uint32_t{bytes[(bit + i) / 8]} >> (bit + i) % 8 & 1U) << i;
  return value;
}

// Rows of sixteen elements, as many as a lane gets, for each sixteen lanes: lane i has column i.
TEST(LdsTranspose, LanesHaveTheColumnsOfSixteenWideRows) {
  small_oracle::Random random(5);
  for (const Case& one : kCases) {
    for (int round = 0; round < 8; ++round) {
      OneInstruction machine(isa::Arch::gfx950);
      LdsBytes lds(65536);
      for (auto& byte : lds) byte = static_cast<std::byte>(random());
      machine.machine.lds = lds;
      const unsigned items = one.dwords * 32 / one.bits, lanes_of_row = 16 / items;
      // Rows lie anywhere, at multiples of 16 bytes; the lanes of a row are neighbours in it.
      std::array<std::uint32_t, 4 * 16> row_at{};
      for (auto& at : row_at) at = random() % 4000 * 16;
      const unsigned offset = random() % 8 * 16;
      LaneValues addresses{};
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const unsigned row = lane / 16 * 16 + lane % 16 / lanes_of_row;
        addresses[lane] = row_at[row] + lane % lanes_of_row * one.dwords * 4;
      }
      machine.set(2, addresses);
      const std::uint32_t words[] = {0xd8000000U | one.code << 17 | offset, 10U << 24 | 2U};
      ASSERT_TRUE(machine.run(words));
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(lds.data());
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        std::array<std::uint32_t, 3> own{};
        for (unsigned k = 0; k < one.dwords; ++k) own[k] = machine.wave.vector(10 + k)[lane];
        for (unsigned item = 0; item < items; ++item) {
          const unsigned row = lane / 16 * 16 + item;
          const std::uint32_t wanted =
              get(bytes, (row_at[row] + offset) * 8 + lane % 16 * one.bits, one.bits);
          ASSERT_EQ(
              get(reinterpret_cast<const std::uint8_t*>(own.data()), item * one.bits, one.bits),
              wanted)
              << one.bits << " bits, lane " << lane << ", item " << item;
        }
      }
    }
  }
}

TEST(LdsTranspose, NeedsAllLanes) {
  OneInstruction machine(isa::Arch::gfx950);
  LdsBytes lds(4096);
  machine.machine.lds = lds;
  machine.wave.set_pair(isa::kExecLo, 0xffff);
  const std::uint32_t words[] = {0xd8000000U | 0xe3U << 17, 10U << 24 | 2U};
  EXPECT_FALSE(machine.run(words));
  ASSERT_TRUE(machine.machine.fault);
  EXPECT_NE(machine.machine.fault->message.find("all lanes"), std::string::npos);
}

/// global_load_lds_dwordx4 and x3, buffer_load_dwordx4 and x3 with lds.
struct Load {
  std::uint32_t first, second;
  unsigned dwords;
};
constexpr Load kLoads[] = {{0xddf48000U, 0x007f0000U, 4},
                           {0xddf88000U, 0x007f0000U, 3},
                           {0xe05d1000U, 0x80010000U, 4},
                           {0xe0591000U, 0x80010000U, 3}};

TEST(LoadToLds, LanesWriteSixteenBytesApart) {
  small_oracle::Random random(6);
  for (const Load& load : kLoads) {
    OneInstruction machine(isa::Arch::gfx950);
    Memory memory;
    const Region& region = memory.allocate(4096, "data");
    for (unsigned i = 0; i < 4096; ++i) region.host[i] = static_cast<std::byte>(random());
    LdsBytes lds(163840);
    machine.machine.lds = lds;
    machine.machine.memory = &memory;
    machine.machine.last_access.resize(1);
    machine.program.ops.resize(1);
    const bool buffer = load.first >> 26 == 0b111000;
    LaneValues addresses{};
    std::array<std::uint32_t, kLanes> from{};
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      from[lane] = random() % 200 * 16;
      addresses[lane] = buffer ? from[lane] : region.base + from[lane];
    }
    machine.set(0, addresses);
    const std::uint32_t descriptor[] = {static_cast<std::uint32_t>(region.base),
                                        static_cast<std::uint32_t>(region.base >> 32), 4096,
                                        0x00020000};
    std::copy_n(descriptor, 4, &machine.wave.sgprs[4]);
    constexpr std::uint32_t kBase = 150000 / 16 * 16;  // beyond 64 KiB
    machine.wave.sgprs[isa::kM0] = kBase;
    machine.wave.set_pair(isa::kExecLo, ~std::uint64_t{2});
    const std::uint32_t words[] = {load.first, load.second};
    const auto instruction = isa::decode(isa::Arch::gfx950, words);
    ASSERT_TRUE(instruction);
    machine.program.ops[0] = lowered(machine.program, *instruction, 0);
    ASSERT_TRUE(
        machine.program.ops[0].handler(machine.machine, machine.wave, machine.program.ops[0]))
        << (machine.machine.fault ? machine.machine.fault->message : "");
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned i = 0; i < 16; ++i) {
        const bool written = lane != 1 && i < load.dwords * 4;
        EXPECT_EQ(lds[kBase + 16 * lane + i], written ? region.host[from[lane] + i] : std::byte{0})
            << lane << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace rpl::emu::lds_transpose
