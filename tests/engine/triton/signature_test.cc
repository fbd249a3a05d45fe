// SPDX-License-Identifier: MIT
#include "engine/triton/signature.h"

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/triton/metadata.h"
#include "tests/engine/triton/triton_runs.h"
#include "tests/support/temp_dir.h"

namespace rpl::triton {
namespace {

Record three() { return {{"a", Value("*fp16")}, {"n", Value("i32")}, {"s", Value("fp32")}}; }

TEST(TritonSignature, IsThatOfTheIr) {
  const std::string text =
      "module {\n  tt.func public @other(%x: i64) {\n  }\n"
      "  tt.func public @mine(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32} loc(\"f,(.py\":8:0), "
      "%n: i32 {tt.divisibility = 16 : i32} loc(#loc), %s: f32 loc(#loc)) attributes {noinline = "
      "false} {\n";
  EXPECT_EQ(signature_in(text, "mine"), three());
  EXPECT_EQ(signature_in(text, "other"), (Record{{"x", Value("i64")}}));
  EXPECT_EQ(signature_in("tt.func public @f(%p: !tt.ptr<f8E4M3FNUZ, 1>)", "f"),
            (Record{{"p", Value("*f8E4M3FNUZ")}}));
  EXPECT_EQ(signature_in("tt.func public @none() {", "none"), Record());
  for (std::size_t end = 0; end < text.size(); ++end) {
    const Record cut = signature_in(text.substr(0, end), "mine");
    EXPECT_TRUE(cut.empty() || cut == three()) << end;
  }
  for (const char* bad : {"tt.func public @f(x)", "tt.func public @f(%: i32)",
                          "tt.func public @f(%a:)", "tt.func public @f(%a: i32,,)"})
    EXPECT_EQ(signature_in(bad, "f").size(), bad[std::string_view(bad).size() - 2] == ',' ? 1U : 0U)
        << bad;
}

TEST(TritonSignature, PointsToElements) {
  EXPECT_EQ(element_behind("*fp32"), Element::f32);
  EXPECT_EQ(element_behind("*bf16"), Element::bf16);
  EXPECT_EQ(element_behind("*i8"), Element::i8);
  EXPECT_EQ(element_behind("*fp8e4b8"), std::nullopt);
  EXPECT_EQ(element_behind("i32"), std::nullopt);
  EXPECT_EQ(element_behind(""), std::nullopt);
}

// Triton's own metadata has no types.
TEST(TritonSignature, IsReadBesideTheCodeObject) {
  const testing_support::TempDir folder;
  const std::string path = folder / "softmax.hsaco";
  std::filesystem::copy_file(examples() / "objects/softmax.gfx942.hsaco", path);
  std::string json =
      read_text_file((examples() / "objects/softmax.gfx942.json").string()).value_or("");
  json.replace(json.find("\"signature\""), 11, "\"something\"");
  folder.write("softmax.json", json);
  EXPECT_TRUE(open_compiled(path).metadata.signature.empty());
  folder.write("softmax.ttir",
               "tt.func public @softmax(%result: !tt.ptr<f32>, %values: !tt.ptr<f32>, %n: i32)");
  const Record found = open_compiled(path).metadata.signature;
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[1], (Record::value_type{"values", Value("*fp32")}));
}

}  // namespace
}  // namespace rpl::triton
