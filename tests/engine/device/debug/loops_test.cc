// SPDX-License-Identifier: MIT
#include "engine/device/debug/loops.h"

#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

/// The first wave of a launch, ready to run.
class Loops : public Architectures {
 protected:
  void SetUp() override {
    machine.program = &session->program();
    machine.memory = const_cast<emu::Memory*>(&session->memory());
    machine.load_base = session->prepared().load_base;
    machine.last_access.assign(session->program().ops.size(), {});
    wave = *session->selected();
  }
  const std::unique_ptr<Session> session = started(normalize(GetParam(), 150, 7), points);
  emu::Machine machine;
  emu::Wave wave;
  Patches patches{session->program()};
  bool hit = false;
};

TEST_P(Loops, StopInFrontOfWhatIsPatched) {
  const std::uint32_t third = wave.pc + 2;
  patches.set(third);
  EXPECT_TRUE(patches.is_set(third));
  EXPECT_EQ(run_patched(machine, wave, patches, 100, hit), 2U);
  EXPECT_TRUE(hit);
  EXPECT_EQ(wave.pc, third);
  EXPECT_EQ(run_patched(machine, wave, patches, 100, hit), 0U) << "it does not get past it";
  patches.clear();
  EXPECT_EQ(run_patched(machine, wave, patches, 1, hit), 1U);
  EXPECT_EQ(wave.pc, third + 1);
}

TEST_P(Loops, CountTheInstructionThatEndsTheWave) {
  const std::uint64_t all = run_patched(machine, wave, patches, 1'000'000, hit);
  EXPECT_FALSE(hit);
  EXPECT_EQ(wave.state, emu::Wave::State::ended);
  EXPECT_GT(all, 20U);
}

TEST_P(Loops, EndBehindTheInstructionThatChangedWhatIsWatched) {
  std::vector<std::byte> before(sizeof(wave.vgprs[0].lane));
  std::memcpy(before.data(), wave.vgprs[0].lane.data(), before.size());
  const WatchedBytes watched{
      .watch = 4, .now = std::as_bytes(std::span(wave.vgprs[0].lane)), .before = before.data()};
  const WatchedBytes* changed = nullptr;
  const emu::Wave start = wave;
  const std::uint64_t ran =
      run_watched(machine, wave, patches, {&watched, 1}, 1'000'000, hit, changed);
  ASSERT_EQ(changed, &watched);
  EXPECT_NE(wave.vgprs[0].lane, start.vgprs[0].lane);
  // One instruction less, and it has not changed.
  wave = start;
  run_patched(machine, wave, patches, ran - 1, hit);
  EXPECT_EQ(wave.vgprs[0].lane, start.vgprs[0].lane);
}

INSTANTIATE_TEST_SUITE_P(OnBoth, Loops, testing::ValuesIn(isa::kArchitectures));

}  // namespace
}  // namespace rpl::debug
