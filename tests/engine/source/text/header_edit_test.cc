// SPDX-License-Identifier: MIT
// Typed edits of a kernel's header: exactly that edit is accepted, and nothing beside it.
#include "engine/source/text/header_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl {
namespace {

using ::testing::HasSubstr;
using Kind = HeaderEdit::Kind;

constexpr std::string_view kSource =
    "extern \"C\" __global__ void k(const float* in, float* out) { out[0] = in[0]; }\nint main() "
    "{}\n";
const HeaderEdit kBounds{Kind::launch_bounds, {128}};

TEST(HeaderEdit, IsReadBackAsItWasWritten) {
  for (const HeaderEdit& edit : {kBounds, HeaderEdit{Kind::waves_per_eu, {1, 2}},
                                 HeaderEdit{Kind::restrict_pointers, {0, 1, 5}}}) {
    const auto read = header_edit_from(to_text(edit));
    ASSERT_TRUE(read.has_value()) << to_text(edit);
    EXPECT_EQ(*read, edit);
  }
}

TEST(HeaderEdit, RefusesTextThatIsNone) {
  for (const std::string_view text :
       {"", "launch-bounds", "launch-bounds 0", "launch-bounds 2048", "launch-bounds 64 64",
        "launch-bounds x", "waves-per-eu 8 1", "waves-per-eu 1 2 3", "restrict", "restrict 1 1",
        "restrict 99999999999", "other 1", "launch-bounds  64", "launch-bounds 64 "}) {
    EXPECT_FALSE(header_edit_from(text).has_value()) << text;
  }
}

TEST(HeaderEdit, ThatEditAloneIsAccepted) {
  const auto edited = apply_header_edit(kSource, "k", kBounds);
  ASSERT_TRUE(edited.has_value());
  EXPECT_THAT(*edited, HasSubstr("__global__ __launch_bounds__(128) void k("));
  EXPECT_TRUE(check_header_edit(kSource, "k", kBounds, *edited)->accept);
}

TEST(HeaderEdit, EverythingBesideItIsRefused) {
  std::string edited = *apply_header_edit(kSource, "k", kBounds);
  const auto refused = [&](const std::string& text) {
    const auto verdict = check_header_edit(kSource, "k", kBounds, text);
    return verdict && !verdict->accept && verdict->reasons.front().rule == "typed-edit";
  };
  EXPECT_TRUE(refused(std::string(kSource))) << "nothing changed";
  EXPECT_TRUE(refused(edited + "\n")) << "something was added";
  std::string body = edited;
  body.replace(body.find("in[0];"), 6, "in[1];");
  EXPECT_TRUE(refused(body)) << "the body changed too";
  std::string other = edited;
  other.replace(other.find("128"), 3, "256");
  EXPECT_TRUE(refused(other)) << "another number";
}

TEST(HeaderEdit, ModelsAndFilesMayNotMakeIt) {
  const std::string edited = *apply_header_edit(kSource, "k", kBounds);
  EXPECT_FALSE(check_edit(kSource, "k", edited)->accept);
  EXPECT_FALSE(
      check_response(kSource, "k", "```cpp\n" + edited.substr(0, edited.find("\nint")) + "\n```\n")
          ->accept);
}

TEST(HeaderEdit, FindsItsPlaceInTemplatesNamespacesAndOverloads) {
  const std::string source =
      "namespace a { template <typename T, int N> static __global__ void k(T* __restrict__ x, "
      "const T * y) { x[0] = y[0]; } }\n"
      "__global__ void k(int* x, float (*f)(float), int* y) { x[0] = y[0]; }\n";
  const auto first = apply_header_edit(source, "a::k", {Kind::restrict_pointers, {1}});
  ASSERT_TRUE(first.has_value()) << first.error().message;
  EXPECT_THAT(*first, HasSubstr("const T * __restrict__ y)"));
  EXPECT_THAT(apply_header_edit(source, "a::k", {Kind::restrict_pointers, {0}}).error().message,
              HasSubstr("restrict already"));
  const auto second = apply_header_edit(source, "k(int*, float (*)(float), int*)",
                                        {Kind::restrict_pointers, {0, 2}});
  if (second) {
    EXPECT_THAT(*second,
                HasSubstr("k(int* __restrict__ x, float (*f)(float), int* __restrict__ y)"));
  }
  EXPECT_FALSE(apply_header_edit(source, "a::k", {Kind::restrict_pointers, {7}}).has_value());
}

}  // namespace
}  // namespace rpl
