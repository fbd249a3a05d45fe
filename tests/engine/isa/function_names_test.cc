// SPDX-License-Identifier: MIT
#include "engine/isa/object/function_names.h"

#include <gtest/gtest.h>

namespace rpl::isa {
namespace {

constexpr const char* kScale =
    "_Z5scaleIfLi4EEvPKT_PS0_i";  // void scale<float, 4>(float const*, float*, int)
constexpr const char* kPlain = "_ZN2ns5plainEPf";  // ns::plain(float*)

TEST(FunctionNames, AreWhatPeopleType) {
  for (const char* typed :
       {"scale", "scale<float, 4>", "scale<float,4>", "scale< float , 4 >", kScale,
        "void scale<float, 4>(float const*, float*, int)",
        "scale<float, 4>(const float*, float*, int)", "scale<float,4>(float const *,float *,int)"})
    EXPECT_TRUE(names_function(typed, kScale)) << typed;
  for (const char* typed : {"plain", "ns::plain", "ns::plain(float*)", "plain(float *)", kPlain})
    EXPECT_TRUE(names_function(typed, kPlain)) << typed;
  EXPECT_TRUE(names_function("normalize", "normalize"));
  EXPECT_TRUE(names_function("reduce.kd", "reduce"));
}

TEST(FunctionNames, AreNotOthers) {
  for (const char* typed : {"scal", "cale", "scale<float, 8>", "scale<double, 4>",
                            "scale<float, 4>(float*)", "ns::scale", ""})
    EXPECT_FALSE(names_function(typed, kScale)) << typed;
  for (const char* typed : {"other::plain", "lain", "ns"})
    EXPECT_FALSE(names_function(typed, kPlain)) << typed;
}

TEST(FunctionNames, AreSaidWithoutParameters) {
  EXPECT_EQ(function_text(kScale), "scale<float, 4>");
  EXPECT_EQ(function_text(kPlain), "ns::plain");
  EXPECT_EQ(function_text("normalize"), "normalize");
}

}  // namespace
}  // namespace rpl::isa
