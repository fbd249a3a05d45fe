// SPDX-License-Identifier: MIT
#include "engine/device/cycle/stream_facts.h"

#include <gtest/gtest.h>

namespace rpl::cycle {
namespace {

constexpr std::uint8_t kNoWait = Operation::kNoWait;

class StreamFacts : public testing::Test {
 protected:
  /// Waves that run the instructions so many times, each memory access on one line, `apart` lines from the one before and `between` from that of the wave before.
  std::vector<OperationFacts> facts(std::vector<std::string> texts, std::uint64_t turns,
                                    std::uint64_t apart, std::uint64_t waves = 1,
                                    std::uint64_t between = 0) {
    record_ = {};
    record_.traffic.line = 128;
    std::vector<Operation> operations;
    for (const std::string& text : texts) operations.push_back(operation_of(text, p_));
    auto& kept = record_.kept.emplace_back();
    for (std::uint64_t number = 0; number < waves; ++number) {
      auto wave = std::make_unique<WaveStream>();
      for (std::uint64_t turn = 0; turn < turns; ++turn) {
        for (std::uint32_t i = 0; i < operations.size(); ++i) {
          std::uint32_t detail = 0;
          if (operations[i].unit == Unit::vmem) {
            wave->lines.push_back(AccessHead{.lines = 1}.packed());
            detail = static_cast<std::uint32_t>(wave->lines.size());
            wave->lines.push_back(1000 + turn * apart + number * between);
          }
          wave->steps.push_back({i, detail});
        }
      }
      kept.push_back(std::move(wave));
    }
    record_.instructions = std::move(texts);
    return *facts_of(record_, operations);
  }
  LaunchRecord record_;
  const Parameters& p_ = **builtin_parameters("MI300X");
};

TEST_F(StreamFacts, TellChainsOfLoadsFromLoadsThatStandAlone) {
  const auto links = facts({"global_load_dword v1, v1, s[0:1]", "s_waitcnt vmcnt(0)"}, 20, 1);
  EXPECT_EQ(links[0].executed, 20U);
  EXPECT_EQ(links[0].chained, 20U - kChain + 1);
  EXPECT_EQ(links[0].straddling, 0U);
  const auto gather = facts({"global_load_dword v1, v2, s[0:1]", "s_waitcnt vmcnt(0)",
                             "v_lshlrev_b32_e32 v1, 2, v1", "global_load_dword v3, v1, s[0:1]"},
                            20, 1);
  EXPECT_EQ(gather[0].chained + gather[3].chained, 0U);
}

TEST_F(StreamFacts, TakeRegistersThatWereKeptInScratchForNoLinks) {
  const auto spilled = facts({"scratch_load_dword v1, v1, s32", "s_waitcnt vmcnt(0)"}, 20, 1);
  EXPECT_EQ(spilled[0].executed, 20U);
  EXPECT_EQ(spilled[0].chained, 0U);
}

TEST_F(StreamFacts, TellLoadsOfTheSamePlaceFromOthers) {
  EXPECT_EQ(facts({"global_load_dword v1, v2, s[0:1]"}, 10, 0)[0].repeated, 9U);
  EXPECT_EQ(facts({"global_load_dword v1, v2, s[0:1]"}, 10, 1)[0].repeated, 0U);
  EXPECT_EQ(facts({"global_load_dword v1, v2, s[0:1]"}, 10, 1)[0].pages, 10U);
}

TEST_F(StreamFacts, TellWaitsThatAreStricterThanNeeded) {
  // The second load is used in the next turn only.
  const auto strict = facts(
      {"global_load_dword v1, v2, s[0:1]", "global_load_dword v3, v2, s[0:1]", "s_waitcnt vmcnt(0)",
       "v_add_f32_e32 v4, v4, v1", "s_waitcnt vmcnt(0)", "v_add_f32_e32 v4, v4, v3"},
      4, 1);
  EXPECT_EQ(strict[2].enough, 1);
  EXPECT_EQ(strict[4].enough, kNoWait);
  const auto exact = facts(
      {"global_load_dword v1, v2, s[0:1]", "global_load_dword v3, v2, s[0:1]", "s_waitcnt vmcnt(1)",
       "v_add_f32_e32 v4, v4, v1", "s_waitcnt vmcnt(0)", "v_add_f32_e32 v4, v4, v3"},
      4, 1);
  EXPECT_EQ(exact[2].enough, kNoWait);
  EXPECT_EQ(exact[4].enough, kNoWait);
  std::vector<std::string> early{"global_load_dword v1, v2, s[0:1]", "s_waitcnt vmcnt(0)"};
  for (int i = 0; i < 10; ++i) early.emplace_back("v_add_f32_e32 v4, v4, v5");
  early.emplace_back("v_mov_b32_e32 v5, v1");
  EXPECT_EQ(facts(early, 4, 1)[1].early, 10U);
  EXPECT_TRUE(facts(early, 4, 1)[1].is_strict());
  EXPECT_FALSE(exact[2].is_strict());
  // Others may rely on everything before a barrier.
  const auto barrier =
      facts({"global_load_dword v1, v2, s[0:1]", "global_store_dword v2, v4, s[2:3]",
             "s_waitcnt vmcnt(0)", "s_barrier", "v_add_f32_e32 v4, v4, v1"},
            4, 1);
  EXPECT_EQ(barrier[2].enough, kNoWait);
  EXPECT_EQ(with_wait("s_waitcnt vmcnt(0) lgkmcnt(0)", 3), "s_waitcnt vmcnt(3) lgkmcnt(0)");
}

TEST_F(StreamFacts, TellWaitsThatLaterOnesMakeNeedless) {
  // As of volatile loads: each is waited for at once, and all are needed at the end.
  const auto each =
      facts({"global_load_dword v1, v9, s[0:1]", "s_waitcnt vmcnt(0)",
             "global_load_dword v2, v9, s[0:1]", "s_waitcnt vmcnt(0)", "v_add_f32_e32 v4, v1, v2"},
            1, 1);
  EXPECT_TRUE(each[1].is_strict());
  EXPECT_EQ(each[1].enough, 63);
  EXPECT_FALSE(each[3].is_strict()) << "the sum needs both";
  // What waits where nothing is outstanding costs nothing.
  const auto idle = facts({"global_load_dword v1, v9, s[0:1]", "s_waitcnt vmcnt(0)",
                           "v_add_f32_e32 v4, v1, v1", "s_waitcnt vmcnt(0)"},
                          1, 1);
  EXPECT_FALSE(idle[1].is_strict());
  EXPECT_FALSE(idle[3].is_strict());
}

TEST_F(StreamFacts, KnowSumsOfProductsOfWhatWasLoaded) {
  const auto product =
      facts({"global_load_dword v1, v8, s[0:1]", "ds_read_b32 v2, v9", "s_waitcnt vmcnt(0)",
             "v_fmac_f32_e32 v4, v1, v2", "v_fma_f32 v5, v1, v2, v5"},
            4, 1);
  EXPECT_EQ(product[3].products, 4U);
  EXPECT_EQ(product[4].products, 4U);
  EXPECT_EQ(product[3].type, ProductType::f32);
  EXPECT_EQ(product[0].feeds, 4U);
  EXPECT_EQ(product[1].feeds, 4U);
  const auto half =
      facts({"global_load_ushort v1, v8, s[0:1]", "ds_read_u16 v2, v9", "v_cvt_f32_f16_e32 v1, v1",
             "v_cvt_f32_f16_e32 v2, v2", "v_fmac_f32_e32 v4, v1, v2"},
            4, 1);
  EXPECT_EQ(half[4].type, ProductType::f16);
  // A sum that goes from register to register.
  const auto passed_on = facts({"global_load_dword v1, v8, s[0:1]", "ds_read_b32 v2, v9",
                                "v_fma_f32 v6, v1, v2, v7", "v_fma_f32 v7, v1, v2, v6"},
                               4, 1);
  EXPECT_EQ(passed_on[2].products, 3U) << "at first there is nothing to add to";
  EXPECT_EQ(passed_on[3].products, 4U);
  // A product and something else that was loaded are no sum of products.
  const auto one = facts({"global_load_dword v1, v8, s[0:1]", "ds_read_b32 v2, v9",
                          "global_load_dword v7, v8, s[2:3]", "v_fma_f32 v6, v1, v2, v7"},
                         4, 1);
  EXPECT_EQ(one[3].products, 0U);
  // A polynomial multiplies its own sum.
  const auto polynomial = facts({"global_load_dword v1, v8, s[0:1]", "s_load_dword s4, s[2:3], 0x0",
                                 "v_fma_f32 v5, v5, v1, s4", "v_mul_f32_e32 v1, v1, v1"},
                                4, 1);
  EXPECT_EQ(polynomial[2].products, 0U);
}

TEST_F(StreamFacts, KnowThatWeightsOfAFilterAreNoMatrix) {
  const std::vector<std::string> sum = {"global_load_dword v1, v8, s[0:1]", "ds_read_b32 v2, v9",
                                        "v_fmac_f32_e32 v4, v1, v2"};
  EXPECT_EQ(facts(sum, 4, 1, 2, 50)[2].products, 8U) << "each wave has a row of its own";
  EXPECT_EQ(facts(sum, 4, 1, 2, 0)[2].products, 0U) << "all lanes of all waves load the same";
}

}  // namespace
}  // namespace rpl::cycle
