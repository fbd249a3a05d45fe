// SPDX-License-Identifier: MIT
#include "engine/base/elide_apart.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/base/text.h"

namespace rpl {
namespace {

using Texts = std::vector<std::string>;

TEST(ElideApart, CutsAsOneAloneWhereNamesDifferAnyway) {
  const Texts names{"softmax_forward_kernel<float, 128>", "layer_norm_backward_kernel<float>",
                    "short"};
  EXPECT_EQ(elide_apart(names, 20),
            (Texts{elide_middle(names[0], 20), elide_middle(names[1], 20), "short"}));
}

TEST(ElideApart, KeepsWhatDiffersInTheMiddle) {
  const Texts names{
      "vectorized_elementwise_kernel<4, bfloat16_copy(TensorIterator&), array<char*, 2ul> >",
      "vectorized_elementwise_kernel<4, float8_copy(TensorIterator&), array<char*, 2ul> >"};
  const Texts shown = elide_apart(names, 24);
  EXPECT_EQ(shown, (Texts{"vectoriz..bfloat16_cop..", "vectoriz..float8_copy(.."}));
}

TEST(ElideApart, TellsManyApartStepByStep) {
  Texts names;
  for (const char* tile : {"MT64x32", "MT64x48", "MT128x32"}) {
    for (const char* end : {"WG32_8_1", "WG64_4_1"})
      names.push_back(std::string("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_") + tile +
                      "x256_MI16x16x1_SN_LDSB0_AFC0_AFEM1_ASEM1_" + end);
  }
  for (const std::size_t width : {24U, 30U, 40U}) {
    const Texts shown = elide_apart(names, width);
    EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()).size(), names.size()) << width;
    for (const std::string& text : shown) EXPECT_LE(display_width(text), width) << text;
  }
}

TEST(ElideApart, NoOnePlaceTellsAllApart) {
  // Each differs from one at one place and from another at another; a narrow column shows one place of each.
  Texts names;
  for (const char* first :
       {"512, 1, float", "512, 1, half_", "128, 4, float", "512, 4, float", "128, 1, half_"})
    names.push_back(std::string("reduce_kernel<") + first +
                    ", ReduceOp<sum_functor<float, float>, 4, 4> >");
  for (const std::size_t width : {15U, 17U, 24U}) {
    const Texts shown = elide_apart(names, width);
    EXPECT_GE(std::set<std::string>(shown.begin(), shown.end()).size(), 4U) << width;
    for (const std::string& text : shown) EXPECT_LE(display_width(text), width) << text;
  }
}

TEST(ElideApart, WhatDiffersIsNotCutOffAtTheEnd) {
  const Texts names{"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_MT64x64x256_MI16x16x1",
                    "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_MT64x64x64_MI16x16x1"};
  for (const std::size_t width : {12U, 15U, 20U}) {
    const Texts shown = elide_apart(names, width);
    EXPECT_NE(shown[0], shown[1]) << width;
  }
}

TEST(ElideApart, OneThatEndsWhereAnotherGoesOn) {
  const std::string begin(60, 'x');
  const Texts shown = elide_apart({begin, begin + "y", begin, begin + "yy"}, 24);
  EXPECT_EQ(shown[0], shown[2]) << "the same name";
  EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()).size(), 3U);
}

TEST(ElideApart, LeavesOtherThanAsciiAlone) {
  const Texts names{std::string(40, 'a') + "é" + std::string(40, 'b'),
                    std::string(40, 'a') + "è" + std::string(40, 'b')};
  EXPECT_EQ(elide_apart(names, 20),
            (Texts{elide_middle(names[0], 20), elide_middle(names[1], 20)}));
}

}  // namespace
}  // namespace rpl
