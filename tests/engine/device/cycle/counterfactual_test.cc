// SPDX-License-Identifier: MIT
#include "engine/device/cycle/counterfactual.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rpl::cycle {
namespace {

/// Waves that load `lines` lines a turn, apart from each other or not, and access LDS with conflicts.
LaunchRecord record(std::uint16_t lines, std::uint32_t conflicts) {
  LaunchRecord out;
  out.gpu = "MI300X";
  out.instructions = {"global_load_dword v1, v[2:3], off",
                      "s_waitcnt vmcnt(0)",
                      "ds_read_b32 v4, v5",
                      "s_waitcnt lgkmcnt(0)",
                      "s_barrier",
                      "v_add_f32 v1, v1, v4",
                      "s_endpgm"};
  out.matrix_passes.resize(out.instructions.size());
  out.traffic.rows.resize(out.instructions.size());
  out.traffic.line = 128;
  out.workgroups = 304;
  out.waves = 4;
  out.vgprs = 8;
  out.by_unit.assign(304, 100);
  auto& workgroup = out.kept.emplace_back();
  for (std::uint64_t w = 0; w < out.waves; ++w) {
    auto& wave = *workgroup.emplace_back(std::make_unique<WaveStream>());
    for (std::uint64_t turn = 0; turn < 16; ++turn) {
      wave.steps.push_back({0, static_cast<std::uint32_t>(wave.lines.size() + 1)});
      wave.lines.push_back(AccessHead{.lines = lines, .requests = lines}.packed());
      for (std::uint64_t i = 0; i < lines; ++i)
        wave.lines.push_back((w * 16 + turn) * 1000 + i * 10);
      for (const std::uint32_t next : {1U, 2U, 3U, 4U, 5U})
        wave.steps.push_back({next, next == 2 ? conflicts : 0});
    }
    wave.steps.push_back({6, 0});
    wave.executed = wave.steps.size();
  }
  return out;
}

class Counterfactuals : public testing::Test {
 protected:
  /// Cycles as it is, and with something ideal.
  std::uint64_t as_it_is(const LaunchRecord& record) {
    return time_launch(record, p_, false)->cycles;
  }
  std::uint64_t with(const LaunchRecord& record, std::vector<Ideal> ideal) {
    const Ready ready = of(record);
    return *cycles_with({record, p_, ready.operations, ready.kinds, ready.facts, ready.counts},
                        ideal);
  }
  struct Ready {
    std::vector<Operation> operations;
    std::vector<OperationKind> kinds;
    std::vector<OperationFacts> facts;
    std::vector<OperationCounts> counts;
  };
  Ready of(const LaunchRecord& record) {
    std::vector<Operation> operations;
    for (const std::string& text : record.instructions)
      operations.push_back(operation_of(text, p_));
    auto kinds = kinds_of(record, operations);
    auto facts = *facts_of(record, operations);
    return {std::move(operations), std::move(kinds), std::move(facts),
            std::vector<OperationCounts>(record.instructions.size())};
  }
  const Parameters& p_ = **builtin_parameters("MI300X");
};

TEST_F(Counterfactuals, HaveASentenceEach) {
  ASSERT_EQ(ideals().size(), kIdeals);
  for (std::size_t i = 0; i < kIdeals; ++i) {
    EXPECT_EQ(ideals()[i].ideal, static_cast<Ideal>(i));
    EXPECT_NE(ideals()[i].sentence, "");
  }
}

TEST_F(Counterfactuals, TakeAwayWhatTheyName) {
  const LaunchRecord scattered = record(64, 0), conflicts = record(2, 31), good = record(2, 0);
  EXPECT_LT(with(scattered, {Ideal::coalesced_loads}), as_it_is(scattered));
  EXPECT_EQ(with(scattered, {Ideal::no_bank_conflicts}), as_it_is(scattered));
  EXPECT_EQ(with(conflicts, {Ideal::no_bank_conflicts}), as_it_is(good));
  EXPECT_EQ(with(conflicts, {Ideal::coalesced_loads}), as_it_is(conflicts));
  EXPECT_LT(with(good, {Ideal::free_barriers}), as_it_is(good));
  EXPECT_EQ(with(good, {Ideal::no_launch}), as_it_is(good) - p_.launch - p_.drain);
}

TEST_F(Counterfactuals, OfLoadsInOrderAskTheL2ForTheLinesThatAreStillWanted) {
  // The L2 has nearly all of it, and its busiest channel is what takes the time.
  const auto in_l2 = [](LaunchRecord out) {
    out.traffic.rows[0] = {.first = 1024, .in_l2 = 1000, .all = 1024, .missing = 24};
    out.traffic.busiest_l2_channel = 100000;
    return out;
  };
  const LaunchRecord once = in_l2(record(64, 0));
  EXPECT_LT(with(once, {Ideal::coalesced_loads}), as_it_is(once) / 8);
  // Lanes that walk along lines of their own come to all of them in the end.
  LaunchRecord walked = in_l2(record(64, 0));
  for (auto& wave : walked.kept.front()) {
    for (std::size_t turn = 1; turn < 16; ++turn)
      std::copy_n(wave->lines.begin() + 1, 64,
                  wave->lines.begin() + 1 + static_cast<std::ptrdiff_t>(turn) * 65);
  }
  EXPECT_GT(with(walked, {Ideal::coalesced_loads}), as_it_is(walked) / 2);
}

TEST_F(Counterfactuals, OfSeveralHideNothing) {
  LaunchRecord both = record(64, 31);
  const std::uint64_t alone = with(both, {Ideal::coalesced_loads});
  EXPECT_LT(with(both, {Ideal::coalesced_loads, Ideal::no_bank_conflicts}), alone);
}

TEST_F(Counterfactuals, ShareTheWorkOfALongWaveAndLoseNothingOfIt) {
  LaunchRecord uneven = record(2, 0);
  // Three waves that end at once: all has to be done by the fourth.
  auto& workgroup = uneven.kept.front();
  for (std::size_t w = 1; w < workgroup.size(); ++w) {
    workgroup[w]->steps.erase(workgroup[w]->steps.begin(), workgroup[w]->steps.end() - 1);
    workgroup[w]->executed = 1;
  }
  LaunchRecord quarter = record(2, 0);
  for (auto& wave : quarter.kept.front()) {
    wave->steps.erase(wave->steps.begin() + 4 * 6, wave->steps.end() - 1);
    wave->executed = wave->steps.size();
  }
  const auto balanced = static_cast<double>(with(uneven, {Ideal::balanced_workgroups})),
             shared = static_cast<double>(as_it_is(quarter));
  EXPECT_LT(balanced, 0.7 * static_cast<double>(as_it_is(uneven)));
  EXPECT_NEAR(balanced, shared, 0.1 * shared);
}

TEST_F(Counterfactuals, OfPiecesOfALineAreNotThoseThatWantTheSameBytes) {
  // Three loads of neighbouring elements, all lanes in order: the second and the third want what the first has brought, and no wider load would bring more of use.
  LaunchRecord windows = record(3, 0);
  windows.instructions[0] = "global_load_dword v1, v[2:3], off";
  for (auto& wave : windows.kept.front()) {
    for (std::size_t at = 0; at < wave->lines.size(); at += 4) {
      wave->lines[at] = AccessHead{.lines = 3, .requests = 3, .detail = 4}.packed();
      for (std::size_t i = 1; i <= 3; ++i) wave->lines[at + i] = at / 12 * 1000 + i;
    }
  }
  auto ready = of(windows);
  ready.counts[0].bytes = 1 << 20;
  const auto cycles = [&](Ideal one) {
    const Ideal ideal[] = {one};
    return *cycles_with({windows, p_, ready.operations, ready.kinds, ready.facts, ready.counts},
                        ideal);
  };
  EXPECT_EQ(cycles(Ideal::wide_loads), as_it_is(windows));
  EXPECT_LT(cycles(Ideal::reused_loads), as_it_is(windows));
}

TEST_F(Counterfactuals, OfLinesThatDiesShareInPartsLeaveNothingShared) {
  LaunchRecord shared = record(64, 0);
  auto& row = shared.traffic.rows[0];
  row = {.first = 1 << 22, .in_l2 = 0, .all = 1 << 22, .missing = 1 << 22};
  row.elsewhere = 1 << 21;
  shared.traffic.read_lines = 1 << 22;
  auto ready = of(shared);
  // A thirty-second of the bytes of these lines is asked for.
  ready.counts[0].bytes = (1 << 22) * 4.0;
  const auto cycles = [&](std::vector<Ideal> ideal) {
    return *cycles_with({shared, p_, ready.operations, ready.kinds, ready.facts, ready.counts},
                        ideal);
  };
  const std::uint64_t coalesced = cycles({Ideal::coalesced_loads});
  EXPECT_LT(cycles({Ideal::one_die}), as_it_is(shared));
  EXPECT_GE(static_cast<double>(cycles({Ideal::coalesced_loads, Ideal::one_die})),
            0.5 * static_cast<double>(coalesced));
}

TEST_F(Counterfactuals, OfFloatsShortenFunctionsAndNotArithmetic) {
  const auto computing = [](std::size_t times) {
    LaunchRecord out = record(2, 0);
    out.instructions[5] = "v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]";
    for (auto& wave : out.kept.front()) {
      std::vector<Step> steps;
      for (const Step& step : wave->steps)
        steps.insert(steps.end(), step.operation == 5 ? times : 1, step);
      wave->steps = std::move(steps);
      wave->executed = wave->steps.size();
    }
    return out;
  };
  const LaunchRecord doubles = computing(400);
  Ready ready = of(doubles);
  const Ideal ideal[] = {Ideal::no_double_precision};
  const auto cycles = [&] {
    return *cycles_with({doubles, p_, ready.operations, ready.kinds, ready.facts, ready.counts},
                        ideal);
  };
  EXPECT_EQ(cycles(), as_it_is(doubles)) << "a multiply-add takes as long in either";
  ready.kinds[5].function = true;
  const auto half = static_cast<double>(as_it_is(computing(200)));
  EXPECT_LT(half, 0.9 * static_cast<double>(as_it_is(doubles)));
  EXPECT_NEAR(static_cast<double>(cycles()), half, 0.02 * half);
}

/// As record(), with stores of so many pieces of the same eight lines in each turn, one after the other.
LaunchRecord stored_in_pieces(const std::string& store, std::uint64_t pieces) {
  LaunchRecord out = record(2, 0);
  out.instructions[0] = store;
  for (auto& wave : out.kept.front()) {
    const Step end = wave->steps.back();
    wave->steps.clear();
    wave->lines.clear();
    for (std::uint64_t piece = 0; piece < pieces; ++piece) {
      wave->steps.push_back({0, static_cast<std::uint32_t>(wave->lines.size() + 1)});
      wave->lines.push_back(AccessHead{.lines = 8, .requests = 16, .partial = 16}.packed());
      for (std::uint64_t i = 0; i < 8; ++i) wave->lines.push_back(i);
    }
    wave->steps.push_back(end);
    wave->executed = wave->steps.size();
  }
  return out;
}

TEST_F(Counterfactuals, StorePiecesOfALineAtOnceUpToTheWidestStore) {
  const LaunchRecord bytes = stored_in_pieces("global_store_byte v[2:3], v1, off", 16),
                     words = stored_in_pieces("global_store_dword v[2:3], v1, off", 4),
                     once = stored_in_pieces("global_store_dwordx4 v[2:3], v[4:7], off", 1),
                     again = stored_in_pieces("global_store_dwordx4 v[2:3], v[4:7], off", 16);
  EXPECT_LT(with(bytes, {Ideal::wide_stores}), as_it_is(bytes));
  const auto once_in_words = static_cast<double>(with(words, {Ideal::wide_stores}));
  EXPECT_NEAR(static_cast<double>(with(bytes, {Ideal::wide_stores})), once_in_words,
              0.1 * once_in_words);
  EXPECT_GE(with(again, {Ideal::wide_stores}), 2 * with(once, {Ideal::wide_stores}))
      << "what is stored again is no piece";
}

TEST_F(Counterfactuals, OfFullWavesAskOnceForLinesOfWhichTwoTakePieces) {
  // Memory is what takes the time, and half of the lanes are off in all that waves do: 32 lanes load 128 bytes of so many lines.
  const auto full = [&](std::uint16_t lines, double bytes) {
    LaunchRecord out = record(lines, 0);
    out.traffic.rows[0] = {.first = 4000000, .all = 4000000, .missing = 4000000};
    out.traffic.read_lines = 4000000;
    Ready ready = of(out);
    for (auto& counts : ready.counts) counts.lanes = 0.5;
    ready.counts[0].bytes = bytes;
    const Ideal ideal[] = {Ideal::all_lanes};
    return static_cast<double>(*cycles_with(
               {out, p_, ready.operations, ready.kinds, ready.facts, ready.counts}, ideal)) /
           static_cast<double>(as_it_is(out));
  };
  EXPECT_LT(full(4, 4e6 * 32), 0.7) << "rows of a quarter of a line, four side by side";
  EXPECT_GT(full(1, 4e6 * 128), 0.9) << "whole lines";
  EXPECT_GT(full(32, 4e6 * 4), 0.9) << "lanes that are nowhere near each other";
  EXPECT_GT(full(4, 4e6 * 128), 0.9) << "lines that are wanted as a whole are moved all the same";
}

TEST_F(Counterfactuals, OfFullWavesStepAndBranchLessOften) {
  // A loop that is walked for a quarter of the lanes, mostly of scalar instructions.
  LaunchRecord loop = record(2, 0);
  loop.instructions = {"s_add_u32 s2, s2, s3",
                       "v_add_f32 v1, v1, v4",
                       "s_and_b64 exec, exec, vcc",
                       "s_cbranch_execnz 65530",
                       "s_add_u32 s0, s0, s1",
                       "v_mov_b32 v9, v1",
                       "s_endpgm"};
  Ready ready = of(loop);
  ready.counts[1].lanes = 0.25;
  const auto cycles = [&](std::vector<Ideal> ideal) {
    return *cycles_with({loop, p_, ready.operations, ready.kinds, ready.facts, ready.counts},
                        ideal);
  };
  const std::uint64_t of_a_way = cycles({Ideal::all_lanes});
  EXPECT_EQ(cycles({Ideal::all_lanes, Ideal::fewer_scalars}), of_a_way)
      << "a way that is walked for some lanes is walked once for all, with its loops and branches";
  for (OperationKind& kind : ready.kinds) kind.leaving = true;
  EXPECT_GT(cycles({Ideal::all_lanes}), of_a_way)
      << "a loop that lanes leave in turn goes on until the last of them is done";
  EXPECT_EQ(cycles({Ideal::all_lanes, Ideal::fewer_scalars}), of_a_way);
}

TEST_F(Counterfactuals, OfFullWavesKnowWhereLanesAreOnAgain) {
  LaunchRecord ways = record(2, 0);
  ways.instructions = {
      "s_add_u32 s2, s2, s3", "v_add_f32 v1, v1, v4", "s_nop 0", "s_add_u32 s0, s0, s1",
      "s_add_u32 s4, s4, s5", "v_mov_b32 v9, v1",     "s_endpgm"};
  const auto full = [&] {
    Ready ready = of(ways);
    ready.counts[1].lanes = 0.25;
    const Ideal ideal[] = {Ideal::all_lanes};
    return *cycles_with({ways, p_, ready.operations, ready.kinds, ready.facts, ready.counts},
                        ideal);
  };
  const std::uint64_t still_off = full();
  ways.instructions[2] = "s_or_b64 exec, exec, s[8:9]";
  EXPECT_GT(full(), still_off) << "what follows is done for all lanes";
}

TEST_F(Counterfactuals, AreAskedOnlyWhereTheyCouldMatter) {
  const LaunchRecord good = record(2, 0);
  const Ready ready = of(good);
  const auto asked =
      counterfactuals({good, p_, ready.operations, ready.kinds, ready.facts, ready.counts});
  ASSERT_TRUE(asked.has_value());
  const auto has = [&](Ideal one) {
    return std::ranges::find(*asked, one, &Counterfactual::ideal) != asked->end();
  };
  EXPECT_TRUE(has(Ideal::free_barriers));
  EXPECT_FALSE(has(Ideal::no_bank_conflicts));
  EXPECT_FALSE(has(Ideal::no_spills));
  EXPECT_FALSE(has(Ideal::own_lines_for_atomics));
  EXPECT_FALSE(has(Ideal::whole_device));
  EXPECT_FALSE(has(Ideal::no_lds_latency)) << "asked beside barriers alone";
}

TEST_F(Counterfactuals, KnowADivisionByItsInstructions) {
  LaunchRecord divides = record(2, 0);
  divides.instructions = {"v_cvt_f32_u32_e32 v3, s12",         "v_rcp_iflag_f32_e32 v3, v3",
                          "v_mul_hi_u32 v4, v2, v3",           "v_mul_lo_u32 v5, v4, s12",
                          "v_cndmask_b32_e32 v4, v4, v5, vcc", "v_cndmask_b32_e32 v4, v4, v6, vcc",
                          "global_load_dword v1, v[2:3], off"};
  const Ready ready = of(divides);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_TRUE(ready.kinds[i].division) << divides.instructions[i];
  EXPECT_FALSE(ready.kinds[6].division);
  EXPECT_TRUE(ready.kinds[6].load);
  // Of a divisor of 64 bits the reciprocal is scaled; steps of its corrections are integers.
  EXPECT_TRUE(scales_reciprocal("v_mul_f32_e32 v8, 0x5f7ffffc, v4"));
  EXPECT_FALSE(scales_reciprocal("v_mul_f32_e32 v10, 0x2f800000, v8"));
  EXPECT_TRUE(may_divide("v_subbrev_co_u32_e64 v2, s[0:1], 0, v2, vcc"));
}

}  // namespace
}  // namespace rpl::cycle
