// SPDX-License-Identifier: MIT
// What the metadata reader says of each kernel of the examples, against llvm-readelf's print of the same notes.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "engine/process/run.h"
#include "tests/engine/isa/example_objects.h"

namespace rpl::isa {
namespace {

constexpr const char* kReadelf = "/usr/lib/llvm-19/bin/llvm-readelf";

/// The numbers of each kernel, by its name: ".vgpr_count" and so on.
std::map<std::string, std::map<std::string, std::uint64_t>> printed_facts(const std::string& text) {
  std::map<std::string, std::map<std::string, std::uint64_t>> kernels;
  std::map<std::string, std::uint64_t> facts;
  std::string kernel;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool of_kernel = line.starts_with("    .") || line.starts_with("  - .");
    const auto colon = line.find(':');
    if (!of_kernel || colon == std::string::npos) continue;
    const std::string name = line.substr(4, colon - 4);
    const std::string value =
        line.substr(std::min(line.size(), line.find_first_not_of(' ', colon + 1)));
    if (line.starts_with("  - ")) facts.clear();
    if (name == ".name") kernel = value;
    if (!value.empty() && value.find_first_not_of("0123456789") == std::string::npos)
      facts[name] = std::stoull(value);
    // Keys are in order; this is the last of a kernel.
    if (name == ".wavefront_size") kernels[kernel] = facts;
  }
  return kernels;
}

void compare(const std::string& path, std::size_t& compared) {
  SCOPED_TRACE(path);
  const auto ran = run({.argv = {kReadelf, "--notes", path}});
  ASSERT_TRUE(ran.has_value()) << ran.error().message;
  const auto printed = printed_facts(ran->out.text);
  const auto object = object_at(path);
  ASSERT_EQ(printed.size(), object->kernels().size());
  for (const Kernel& kernel : object->kernels()) {
    SCOPED_TRACE(kernel.name);
    ASSERT_TRUE(printed.contains(kernel.name));
    const auto& facts = printed.at(kernel.name);
    EXPECT_EQ(kernel.vgprs, facts.at(".vgpr_count"));
    EXPECT_EQ(kernel.agprs, facts.at(".agpr_count"));
    EXPECT_EQ(kernel.sgprs, facts.at(".sgpr_count"));
    EXPECT_EQ(kernel.vgpr_spills, facts.at(".vgpr_spill_count"));
    EXPECT_EQ(kernel.sgpr_spills, facts.at(".sgpr_spill_count"));
    EXPECT_EQ(kernel.lds_bytes, facts.at(".group_segment_fixed_size"));
    EXPECT_EQ(kernel.scratch_bytes, facts.at(".private_segment_fixed_size"));
    EXPECT_EQ(kernel.kernarg_bytes, facts.at(".kernarg_segment_size"));
    EXPECT_EQ(kernel.max_workgroup, facts.at(".max_flat_workgroup_size"));
    EXPECT_EQ(kernel.wave_size, facts.at(".wavefront_size"));
    ++compared;
  }
}

TEST(StaticFacts, EqualTheNotesThatLlvmReadelfPrints) {
  if (!std::filesystem::exists(kReadelf)) GTEST_SKIP() << "llvm-19 is not installed";
  std::size_t compared = 0;
  for (const std::string& folder :
       {std::string(RPL_EXAMPLES) + "/objects",
        std::string(RPL_EXAMPLES) + "/../../tests/engine/device/execute/kernels/objects"}) {
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      if (file.path().extension() == ".co") compare(file.path(), compared);
    }
  }
  EXPECT_GT(compared, 40U);
}

}  // namespace
}  // namespace rpl::isa
