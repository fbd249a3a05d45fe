// SPDX-License-Identifier: MIT
#include "engine/optimize/rounds/model_prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kFile = R"(#include <hip/hip_runtime.h>
#define SCALE 2.0f
#define TWICE(x) ((x) * SCALE)
#define OTHER 3
namespace a {
struct Pair { float x, y; };
__constant__ float table[4] = {1, 2, 3, 4};
__device__ float unused(float x) { return x; }
template <class T> __device__ T helper(T x) { return TWICE(x) + table[0]; }
__global__ void other(float* x) { x[0] = OTHER; }
__global__ void scale(float* x, Pair p) {
  x[threadIdx.x] = helper(x[threadIdx.x]) * p.x;
}
}
int main() { return SCALE; }
)";

TEST(KernelText, IsTheDefinitionWithWhatItUses) {
  const auto text = kernel_text(kFile, "scale");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->definition,
            "__global__ void scale(float* x, Pair p) {\n  x[threadIdx.x] = helper(x[threadIdx.x]) "
            "* p.x;\n}");
  EXPECT_EQ(text->context,
            "#define SCALE 2.0f\n#define TWICE(x) ((x) * SCALE)\nstruct Pair { float x, y; "
            "};\n__constant__ float table[4] = {1, 2, 3, 4};\n"
            "template <class T> __device__ T helper(T x) { return TWICE(x) + table[0]; }\n");
}

TEST(Prompts, SayOnlyWhatIsKnown) {
  const testing_support::TempDir folder;
  const auto parts =
      prompt_of_source(folder.write("k.hip", kFile), "scale", {}, {}, PromptExtent::kernel);
  ASSERT_TRUE(parts) << parts.error().message;
  const std::string text = llm::make_prompt(*parts).text();
  EXPECT_THAT(text, AllOf(HasSubstr("## Rules"), HasSubstr("## The kernel"),
                          HasSubstr("## What it uses of its file")));
  for (const char* unknown :
       {"Hardware", "Launch", "waits for", "Machine code", "tried before", "None", "null"})
    EXPECT_THAT(text, Not(HasSubstr(unknown)));
}

TEST(Prompts, PutFirstWhatChangesLeast) {
  llm::PromptParts parts{.kernel = "k",
                         .source = "x ``` y",
                         .context = "#define A\n",
                         .hardware = {{"GPU", "MI300X"}, {"unknown", ""}},
                         .launch = {{"grid", "1"}},
                         .profile = {{"time", "5"}},
                         .resources = {{"registers", "3"}},
                         .hot_lines = {},
                         .attempts = {{"p1", "unroll", "rejected by verify", "wrong"}},
                         .strategy = "Load less."};
  const std::string text = llm::make_prompt(parts).text();
  std::size_t at = 0;
  for (const char* section : {"## Hardware", "## Rules", "## The kernel", "## What it uses",
                              "## Launch", "## What it waits for", "## Machine code",
                              "- p1 unroll: rejected by verify: wrong", "Load less."}) {
    const std::size_t found = text.find(section, at);
    ASSERT_NE(found, std::string::npos) << section;
    at = found;
  }
  EXPECT_THAT(text, AllOf(Not(HasSubstr("unknown")), HasSubstr("````cpp\nx ``` y\n````\n")));
  parts.compact = true;
  const std::string compact = llm::make_prompt(parts).text();
  EXPECT_LT(compact.size(), text.size());
  EXPECT_THAT(compact,
              AllOf(Not(HasSubstr("#define A")), HasSubstr("many-blocks, unclosed-block")));
}

TEST(Prompts, NameRulesAsTheDocumentationDoes) {
  const auto page = read_text_file(RPL_DOCS "/guards.md");
  ASSERT_TRUE(page);
  for (const llm::PromptRule& rule : llm::prompt_rules())
    EXPECT_THAT(*page, HasSubstr("`" + std::string(rule.name) + "`"));
}

TEST(Prompts, SayWhatEarlierAttemptsDidToTheMachineCode) {
  const testing_support::TempDir folder;
  const auto session = Session::open(folder / "kept", {}).value();
  ProposalStore store = ProposalStore::read(*session).value();
  Optimization base;
  base.kernel = "scale";
  base.source = folder.write("k.hip", kFile);
  base.architecture = "gfx942";
  ASSERT_TRUE(store.claim(base));
  ASSERT_TRUE(write_file(base.base_source(), kFile));
  base.reached = Stage::propose;
  ASSERT_TRUE(store.save(base));
  const auto side = [](int vgprs, int lds, int waves, int instructions) {
    return Value(Record{{"vgprs", vgprs},
                        {"lds_bytes", lds},
                        {"scratch_bytes", 0},
                        {"waves_per_cu", waves},
                        {"instructions", instructions}});
  };
  Proposal tried;
  tried.optimization = base.number;
  tried.origin = "model";
  tried.title = "eight at once";
  tried.state = ProposalState::rejected;
  tried.decided_at = Stage::decide;
  tried.reasons = {{"equivalent", "no faster", 0}};
  tried.evidence = {{"screen", Value(Record{{"baseline", side(51, 0, 32, 109)},
                                            {"candidate", side(80, 4096, 24, 109)}})},
                    {"decide", Value(Record{{"ratio", 1.0}})}};
  ASSERT_TRUE(store.claim(tried));
  ASSERT_TRUE(store.save(tried));
  auto parts = prompt_of(base, {}, store, {}, {}, PromptExtent::kernel);
  ASSERT_TRUE(parts) << parts.error().message;
  const std::string text = llm::make_prompt(*parts).text();
  EXPECT_THAT(text,
              HasSubstr("eight at once: rejected by decide, 1.00 times as fast, VGPRs 51 -> 80, "
                        "LDS bytes 0 -> 4096, waves of a compute unit 32 -> 24: no faster"));
  EXPECT_THAT(text, Not(HasSubstr("take another way")));
  add_alternatives({tried}, *parts);
  EXPECT_THAT(llm::make_prompt(*parts).text(),
              HasSubstr("not yet measured; take another way:\n- eight at once\n"));
}

TEST(Strategies, AreOneShortLine) {
  EXPECT_EQ(llm::strategy_in("Hello\nStrategy:  *load* `once`.\nmore"), "load once");
  EXPECT_EQ(llm::strategy_in("none"), "");
  EXPECT_EQ(llm::strategy_in("Strategy: \x1b[2Jx\x7f\xff\t"), "[2Jx");
  EXPECT_LE(llm::strategy_in("Strategy: " + std::string(500, 'a')).size(), 80U);
}

}  // namespace
}  // namespace rpl
