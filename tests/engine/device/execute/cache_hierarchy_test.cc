// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/cache_hierarchy.h"

#include <gtest/gtest.h>

#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

using Kind = LineLog::Kind;

class Hierarchy : public testing::Test {
 protected:
  void touch(LineLog& log, Kind kind, std::uint64_t line, std::uint32_t operation = 0) const {
    const std::uint64_t zero = 0;
    log.note(operation, kind, line, {&zero, 1}, &zero);
  }
  [[nodiscard]] InstructionCounts divided(const CacheHierarchy& caches, std::uint64_t lines,
                                          bool writes = false) const {
    Counts counts;
    counts.by_instruction.resize(1);
    counts.by_instruction[0].lines = lines;
    counts.by_instruction[0].writes = writes;
    caches.divide(counts);
    return counts.by_instruction[0];
  }
  const cycle::Parameters& p_ = **cycle::builtin_parameters("gfx942");
};

TEST_F(Hierarchy, FindsWhatTheSameUnitHadAndThenWhatAnyUnitOfItsL2Had) {
  CacheHierarchy caches(p_, p_.compute_units * 2, 1);
  // Workgroups of the first unit, of another unit with the same L2, and of one with another L2.
  const std::uint32_t same_unit = p_.compute_units, same_l2 = p_.xcds, other_l2 = 1;
  std::uint32_t turn = 0;
  for (const std::uint32_t workgroup : {0U, same_unit, same_l2, other_l2}) {
    LineLog log;
    log.begin(0);
    log.enter(0);
    touch(log, Kind::load, 5);
    caches.take(turn++, workgroup, log);
  }
  const InstructionCounts row = divided(caches, 4);
  EXPECT_EQ(row.memory_lines, 2U);
  EXPECT_EQ(row.l1_lines, 1U);
  EXPECT_EQ(row.l2_lines, 1U);
}

TEST_F(Hierarchy, StoresPassByTheL1) {
  CacheHierarchy caches(p_, 1, 1);
  LineLog log;
  log.begin(0);
  log.enter(0);
  for (int i = 0; i < 3; ++i) touch(log, Kind::write, 5);
  caches.take(0, 0, log);
  const InstructionCounts row = divided(caches, 3, true);
  EXPECT_EQ(row.memory_lines, 1U);
  EXPECT_EQ(row.l2_lines, 2U);
}

// A wave that reads its own lines again finds them, unless the others of the workgroup have been through the L1 meanwhile.
TEST_F(Hierarchy, WavesOfAWorkgroupTakeTurns) {
  const std::uint64_t lines = p_.l1_bytes / p_.l1_line / 2;  // of a wave
  for (const std::uint32_t waves : {1U, 4U}) {
    CacheHierarchy caches(p_, 1, 1);
    LineLog log;
    log.begin(0);
    for (std::uint32_t wave = 0; wave < waves; ++wave) {
      log.enter(wave);
      for (std::uint64_t i = 0; i < 2 * lines; ++i)
        touch(log, Kind::load, wave * lines * 8 + i % lines);
    }
    caches.take(0, 0, log);
    const InstructionCounts row = divided(caches, 2 * lines * waves);
    EXPECT_EQ(row.memory_lines, lines * waves);
    if (waves == 1) {
      EXPECT_GT(row.l1_lines, lines * 9 / 10);
    }
    if (waves == 4) {
      EXPECT_LT(row.l1_lines, lines * waves / 4);
    }
  }
}

TEST_F(Hierarchy, TheOrderInWhichWorkgroupsEndDoesNotMatter) {
  std::vector<InstructionCounts> rows;
  for (const bool backwards : {false, true}) {
    constexpr std::uint32_t kWorkgroups = 2000;
    CacheHierarchy caches(p_, kWorkgroups, 1);
    for (std::uint32_t i = 0; i < kWorkgroups; ++i) {
      const std::uint32_t turn = backwards ? kWorkgroups - 1 - i : i;
      LineLog log;
      log.begin(backwards ? 0 : caches.skipped());
      log.enter(0);
      for (std::uint64_t k = 0; k < 64; ++k) touch(log, Kind::load, (turn * 37 + k * k) % 5000);
      caches.take(turn, turn, log);
    }
    EXPECT_GT(caches.skipped(), 0U);
    rows.push_back(divided(caches, kWorkgroups * 64));
  }
  EXPECT_EQ(rows[0].l1_lines, rows[1].l1_lines);
  EXPECT_EQ(rows[0].l2_lines, rows[1].l2_lines);
  EXPECT_GT(rows[0].l2_lines, 0U);
}

TEST_F(Hierarchy, ALongWorkgroupIsThinnedOutTheSameWhateverWasLeftOutBefore) {
  std::vector<std::size_t> sizes;
  for (const std::uint64_t skipped : {0U, 1U}) {
    LineLog log;
    log.begin(skipped);
    log.enter(0);
    for (std::uint64_t i = 0; i < 3 * LineLog::kMost; ++i) touch(log, Kind::load, i);
    EXPECT_LE(log.waves()[0].size(), LineLog::kMost);
    EXPECT_EQ(log.skipped(), 3U);
    sizes.push_back(log.waves()[0].size());
  }
  EXPECT_EQ(sizes[0], sizes[1]);
}

// Every line is in one place of one row; the rows are the run.
void expect_sums(const Counts& counts) {
  InstructionCounts sum;
  std::uint64_t bytes = 0, transactions = 0;
  for (const InstructionCounts& row : counts.by_instruction) {
    EXPECT_EQ(row.lines, row.l1_lines + row.l2_lines + row.memory_lines);
    if (row.writes) {
      EXPECT_EQ(row.l1_lines, 0U);
    }
    EXPECT_LE(row.lines, row.executed * 2 * kLanes);
    sum.lines += row.lines, sum.l1_lines += row.l1_lines, sum.l2_lines += row.l2_lines,
        sum.memory_lines += row.memory_lines;
    bytes += row.bytes, transactions += row.transactions;
  }
  EXPECT_EQ(counts.lines, sum.lines);
  EXPECT_EQ(counts.l1_lines, sum.l1_lines);
  EXPECT_EQ(counts.l2_lines, sum.l2_lines);
  EXPECT_EQ(counts.memory_lines, sum.memory_lines);
  EXPECT_EQ(counts.load_bytes + counts.store_bytes, bytes);
  EXPECT_EQ(counts.transactions, transactions);
}

class CacheLines : public testing::TestWithParam<std::tuple<const char*, Mode>> {
 protected:
  [[nodiscard]] Executed executed(KernelRun run, unsigned threads = 1) const {
    run.options.mode = std::get<1>(GetParam());
    run.options.threads = threads;
    return run_ok(run).executed;
  }
  [[nodiscard]] std::string arch() const { return std::get<0>(GetParam()); }
};

TEST_P(CacheLines, OfEveryPlaceAddUpToTheRun) {
  for (const KernelRun& run :
       {vector_add(arch(), 100'000), matmul(arch(), 96, 96, 96), softmax(arch(), 1000, 100),
        reduce(arch(), 50'000, 20), histogram(arch(), 50'000, 20), transpose(arch(), 300, 200)}) {
    const Executed done = executed(run);
    expect_sums(done.counts);
    if (!done.modelled) continue;
    const CacheCounts& caches = done.modelled->caches;
    EXPECT_EQ(caches.l2_hits, done.counts.l2_lines);
    EXPECT_EQ(caches.l2_misses, done.counts.memory_lines);
    EXPECT_EQ(done.counts.lines - done.counts.l1_lines, caches.l2_hits + caches.l2_misses);
    EXPECT_LE(caches.l1_lookups - caches.l1_misses, done.counts.l1_lines);
  }
}

TEST_P(CacheLines, ThatAreReadOnceComeFromMemory) {
  const Executed done = executed(vector_add(arch(), 1U << 18));
  for (std::size_t i = 0; i < done.counts.by_instruction.size(); ++i) {
    const InstructionCounts& row = done.counts.by_instruction[i];
    if (done.program->ops[i].kind == isa::Class::vmem) {
      EXPECT_EQ(row.memory_lines, row.lines);
    }
    if (done.program->ops[i].kind == isa::Class::smem) {
      EXPECT_GT(row.l1_lines + row.l2_lines, row.lines / 2);
    }
  }
}

TEST_P(CacheLines, AreTheSameWithSeveralThreads) {
  const KernelRun run = matmul(arch(), 128, 128, 128);
  const Counts one = executed(run, 1).counts, four = executed(run, 4).counts;
  EXPECT_EQ(one.lines, four.lines);
  EXPECT_EQ(one.l1_lines, four.l1_lines);
  EXPECT_EQ(one.l2_lines, four.l2_lines);
  EXPECT_GT(one.l1_lines, 0U);
}

INSTANTIATE_TEST_SUITE_P(Modes, CacheLines,
                         testing::Combine(testing::Values("gfx90a", "gfx942"),
                                          testing::Values(Mode::counted, Mode::modelled)),
                         [](const auto& tested) {
                           return std::string(std::get<0>(tested.param)) +
                                  (std::get<1>(tested.param) == Mode::counted ? "_counted"
                                                                              : "_modelled");
                         });

}  // namespace
}  // namespace rpl::emu
