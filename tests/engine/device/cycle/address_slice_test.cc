// SPDX-License-Identifier: MIT
#include "engine/device/cycle/address_slice.h"

#include <gtest/gtest.h>

#include "engine/device/cycle/operation_kind.h"

namespace rpl::cycle {
namespace {

class AddressSlice : public testing::Test {
 protected:
  /// Of a wave that runs the instructions twice, one after the other.
  std::vector<double> shares(std::vector<std::string> texts) {
    record_ = {};
    operations_.clear();
    for (const std::string& text : texts) operations_.push_back(operation_of(text, p_));
    auto wave = std::make_unique<WaveStream>();
    for (std::uint32_t turn = 0; turn < 2; ++turn) {
      for (std::uint32_t i = 0; i < operations_.size(); ++i) wave->steps.push_back({i, 0});
    }
    record_.kept.emplace_back().push_back(std::move(wave));
    record_.instructions = std::move(texts);
    record_.matrix_passes.resize(operations_.size());
    return address_shares(record_, operations_);
  }
  bool is_addressing(std::size_t operation) {
    return kinds_of(record_, operations_)[operation].addressing;
  }
  LaunchRecord record_;
  std::vector<Operation> operations_;
  const Parameters& p_ = **builtin_parameters("MI300X");
};

TEST_F(AddressSlice, FollowsWhatBecomesAnAddressAndNotWhatIsStored) {
  const auto found = shares({"v_lshlrev_b32_e32 v1, 2, v0", "global_load_dword v2, v1, s[0:1]",
                             "v_xor_b32_e32 v2, v2, v3", "global_store_dword v1, v2, s[2:3]"});
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(found[1], 0) << "an access is no arithmetic";
  EXPECT_EQ(found[2], 0) << "the result is data";
  EXPECT_TRUE(is_addressing(0));
  EXPECT_FALSE(is_addressing(2)) << "integers alone are no addresses";
}

TEST_F(AddressSlice, FollowsAnIndexThatIsItselfLoaded) {
  const auto found =
      shares({"v_add_u32_e32 v1, v0, v9", "global_load_dword v2, v1, s[0:1]",
              "v_lshlrev_b32_e32 v4, 2, v2", "ds_read_b32 v5, v4", "v_add_f32_e32 v6, v6, v5"});
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(found[2], 1) << "an address of LDS";
  EXPECT_EQ(found[4], 0);
}

TEST_F(AddressSlice, KnowsWhereEachKindOfAccessHasItsAddress) {
  const auto found = shares(
      {"v_mov_b32_e32 v1, v10", "v_mov_b32_e32 v2, v11", "ds_write2_b32 v1, v2, v3",
       "v_mov_b32_e32 v4, v12", "v_mov_b32_e32 v5, v13", "global_atomic_add_u32 v4, v5, s[0:1]",
       "v_mov_b32_e32 v6, v14", "v_mov_b32_e32 v7, v15", "ds_add_rtn_u32 v8, v6, v7",
       "s_add_u32 s8, s6, s7", "s_load_dword s9, s[8:9], 0x0", "v_mov_b32_e32 v3, s9",
       "v_mov_b32_e32 v16, v17", "buffer_store_dword v16, v18, s[0:3], 0 offen"});
  for (const std::size_t address : {0, 3, 6, 9}) EXPECT_EQ(found[address], 1) << address;
  for (const std::size_t data : {1, 4, 7, 11, 12}) EXPECT_EQ(found[data], 0) << data;
}

}  // namespace
}  // namespace rpl::cycle
