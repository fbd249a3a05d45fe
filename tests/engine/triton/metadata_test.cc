// SPDX-License-Identifier: MIT
#include "engine/triton/metadata.h"

#include "engine/base/files.h"
#include "tests/engine/triton/triton_runs.h"

namespace rpl::triton {
namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string softmax_json(const std::string& folder = "objects") {
  return read_text_file((examples() / folder / "softmax.gfx942.json").string()).value_or("");
}

TEST(TritonMetadata, SaysHowAKernelWasCompiledAndIsLaunched) {
  const auto read = parse_metadata(softmax_json());
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->kernel, "softmax");
  EXPECT_EQ(read->version, "3.4.0");
  EXPECT_EQ(read->architecture, "gfx942");
  EXPECT_EQ(read->workgroup(), 256U);
  EXPECT_EQ(read->shared_bytes, 16U);
  EXPECT_FALSE(read->profile_scratch_bytes);
  EXPECT_EQ(read->constants, (Record{{"BLOCK", Value(1024)}}));
  EXPECT_EQ(read->signature.front(), (Record::value_type{"result", Value("*fp32")}));
}

TEST(TritonMetadata, ALaterVersionKnowsTheSizesOfItsScratch) {
  const auto read = parse_metadata(softmax_json("later"));
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->version, "3.9.0");
  EXPECT_EQ(read->global_scratch_bytes, 0U);
  EXPECT_EQ(read->profile_scratch_bytes, 0U);
}

// Each of these would be a size of a workgroup, of memory, or a name.
TEST(TritonMetadata, NothingInItIsTrusted) {
  const std::string good = softmax_json();
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"num_warps\": 4", "\"num_warps\": 0"},
           {"\"num_warps\": 4", "\"num_warps\": 4096"},
           {"\"num_warps\": 4", "\"num_warps\": -1"},
           {"\"num_warps\": 4", "\"num_warps\": 4.5"},
           {"\"num_warps\": 4", "\"num_warps\": \"4\""},
           {"\"num_warps\": 4", "\"number\": 4"},
           {"\"shared\": 16", "\"shared\": 9223372036854775807"},
           {"\"shared\": 16", "\"shared\": 99999999999999999999"},
           {"\"shared\": 16", "\"shared\": null"},
           {"\"warp_size\": 64, \"waves", "\"warp_size\": 1, \"waves"},
           {"\"name\": \"softmax\"", "\"name\": \"\""},
           {"\"name\": \"softmax\"", "\"name\": [\"softmax\"]"},
           {"\"name\": \"softmax\"", "\"name\": \"" + std::string(5000, 'x') + "\""},
           {"\"triton_version\": \"3.4.0\"", "\"triton_version\": 3.4"},
           {"\"triton_version\": \"3.4.0\"", "\"triton_version\": \"3.4\\n\""},
           {"\"num_stages\": 2", "\"num_stages\": 1000000"}}) {
    const auto read = parse_metadata(replaced(good, from, to));
    ASSERT_FALSE(read.has_value()) << to;
    EXPECT_EQ(read.error().code, Errc::corrupt) << to;
  }
  EXPECT_FALSE(parse_metadata("").has_value());
  EXPECT_FALSE(parse_metadata("[]").has_value());
  EXPECT_FALSE(parse_metadata(std::string(100, '[')).has_value());
  const auto large = parse_metadata(good + std::string(std::size_t{2} << 20, ' '));
  ASSERT_FALSE(large.has_value());
  EXPECT_EQ(large.error().code, Errc::limit);
}

TEST(TritonMetadata, ThatOfAnotherKernelIsRefused) {
  const auto folder = ScratchFolder::make("triton");
  ASSERT_TRUE(folder.has_value());
  const std::string path = folder->path() + "/softmax.hsaco";
  const auto object = isa::CodeObject::open((examples() / "objects/softmax.gfx942.hsaco").string());
  ASSERT_TRUE(object.has_value());
  EXPECT_EQ(metadata_beside(path, **object).value(), std::nullopt);
  const auto with = [&](const std::string& text) {
    EXPECT_TRUE(write_file(folder->path() + "/softmax.json", text).has_value());
    return metadata_beside(path, **object);
  };
  EXPECT_TRUE(with(softmax_json()).value().has_value());
  EXPECT_EQ(with("{\"something\": \"else\"}").value(), std::nullopt);
  const std::string other = replaced(softmax_json(), "\"name\": \"softmax\"", "\"name\": \"sort\"");
  EXPECT_NE(with(other).error().message.find("it describes 'sort'"), std::string::npos);
  const std::string later =
      replaced(softmax_json(), "\"arch\": \"gfx942\", \"warp", "\"arch\": \"gfx1\", \"warp");
  EXPECT_NE(with(later).error().message.find("it is for 'gfx1'"), std::string::npos);
  EXPECT_EQ(metadata_path("x.co"), "");
}

}  // namespace
}  // namespace rpl::triton
