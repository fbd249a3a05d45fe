// SPDX-License-Identifier: MIT
#include "engine/capture/arguments.h"

#include <gtest/gtest.h>

namespace rpl {
namespace {

std::string text_of(const std::string& mangled) {
  std::string out;
  for (const ParameterType& type : parameter_types(mangled)) {
    if (!out.empty()) out += ", ";
    out += type.element ? std::string(to_string(*type.element)) : "?";
    if (type.pointer) out += "*";
  }
  return out;
}

TEST(ParameterTypes, AreReadFromMangledNames) {
  EXPECT_EQ(text_of("_Z4vaddPKfS0_Pfi"), "f32*, f32*, f32*, i32");
  EXPECT_EQ(text_of("_Z5scaleIfEvPT_S0_i"),
            "f32*, f32, i32");  // void scale<float>(float*, float, int)
  EXPECT_EQ(text_of("_Z4copyPKdmjhb"), "f64*, u64, u32, u8, u8");
  EXPECT_EQ(text_of("_Z5tablePPfPviPKc"), "?*, ?*, i32, i8*");  // float**, void*
  EXPECT_EQ(text_of("_Z3useI4PairIifEEvT_Pi"),
            "?, i32*");                        // void use<Pair<int, float>>(Pair<int, float>, int*)
  EXPECT_EQ(text_of("_Z1kPFivEl"), "?, i64");  // k(int (*)(), long)
}

TEST(ParameterTypes, OfNamesThatSayNothingAreNone) {
  EXPECT_EQ(text_of("vector_add"), "");
  EXPECT_EQ(text_of("_Zgarbage"), "");
  EXPECT_EQ(text_of("_Z4nonev"), "");
  EXPECT_EQ(text_of(""), "");
}

}  // namespace
}  // namespace rpl
