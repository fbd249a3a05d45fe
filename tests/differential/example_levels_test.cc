// SPDX-License-Identifier: MIT
// What an example computes must not depend on how far its code was optimized, nor on the architecture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "engine/source/build/build.h"
#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

/// A launch of each example, small and with ragged edges.
std::map<std::string, std::function<KernelRun(const std::string&)>> launches() {
  return {
      {"vector_add", [](const std::string& arch) { return vector_add(arch, 1000); }},
      {"matmul", [](const std::string& arch) { return matmul(arch, 35, 50, 37); }},
      {"softmax", [](const std::string& arch) { return softmax(arch, 70, 77); }},
      {"reduce", [](const std::string& arch) { return reduce(arch, 10007, 7); }},
      {"transpose", [](const std::string& arch) { return transpose(arch, 45, 99); }},
      {"vcopy", [](const std::string& arch) { return vcopy(arch, 1000); }},
      {"matmul_mfma", [](const std::string& arch) { return matmul_mfma(arch, 70, 90, 40); }},
      {"attention", [](const std::string& arch) { return attention(arch, 70, 37); }},
      {"layer_norm", [](const std::string& arch) { return layer_norm(arch, 3, 1000, 128); }},
      {"stencil", [](const std::string& arch) { return stencil(arch, 45, 19, 3); }},
      {"pointer_chase", [](const std::string& arch) { return pointer_chase(arch, 100, 90, 70); }},
      {"divergent", [](const std::string& arch) { return divergent(arch, 1000); }},
      {"newton_f64", [](const std::string& arch) { return newton_f64(arch, 300); }},
      {"normalize", [](const std::string& arch) { return normalize(arch, 150, 7); }},
      {"standardize", [](const std::string& arch) { return standardize(arch, 150, 7); }},
      {"row_scale", [](const std::string& arch) { return row_scale(arch, 70, 77); }},
      {"transpose_unpadded",
       [](const std::string& arch) { return transpose_unpadded(arch, 45, 99); }},
      {"histogram", [](const std::string& arch) { return histogram(arch, 10011, 5); }}};
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& [name, launch] : launches()) out.push_back(name);
  return out;
}

class Levels : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto compiler = find_compiler("clang-19");
    if (!compiler) GTEST_SKIP() << compiler.error().message;
    compiler_ = std::move(*compiler);
    char folder[] = "/tmp/rpl-levels-XXXXXX";
    ASSERT_NE(::mkdtemp(folder), nullptr);
    folder_ = folder;
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  std::shared_ptr<const isa::CodeObject> compiled(const std::string& arch,
                                                  const std::string& level) {
    BuildRequest request;
    request.source = fmt::format("{}/{}.hip", RPL_EXAMPLES, GetParam());
    request.architecture = arch;
    request.output = fmt::format("{}/{}{}.co", folder_, arch, level);
    request.flags = {level, "-ffp-contract=off", "-w"};
    const auto outcome = build_hip(compiler_, request);
    if (!outcome || !outcome->built) {
      ADD_FAILURE() << (outcome ? first_error(*outcome) : outcome.error().message);
      return nullptr;
    }
    return isa::object_at(request.output);
  }

  std::vector<std::vector<std::byte>> results(const std::string& arch, const std::string& level) {
    KernelRun run = launches().at(GetParam())(arch);
    run.object = compiled(arch, level);
    if (run.object == nullptr) return {};
    auto outcome = run_kernel(run);
    if (!outcome) {
      ADD_FAILURE() << arch << ' ' << level << ": " << outcome.error().message;
      return {};
    }
    return std::move(outcome->buffers);
  }

  Compiler compiler_;
  std::string folder_;
};

// Matrix instructions alone add otherwise on each architecture. Every level and every architecture once; all of both would be half a
// minute more of compiling.
TEST_P(Levels, OptimizationAndArchitectureLeaveResultsAlone) {
  const auto older = results("gfx90a", "-O3"), newer = results("gfx942", "-O3");
  ASSERT_FALSE(older.empty());
  const bool has_matrix_sums = GetParam() == "matmul_mfma";
  const bool are_same = newer == older;
  EXPECT_EQ(are_same, !has_matrix_sums) << "gfx942 -O3 against gfx90a -O3";
  const bool is_same_on_older = results("gfx90a", "-O1") == older;
  const bool is_same_on_newer = results("gfx942", "-O0") == newer;
  EXPECT_TRUE(is_same_on_older) << "gfx90a -O1 against -O3";
  EXPECT_TRUE(is_same_on_newer) << "gfx942 -O0 against -O3";
}

INSTANTIATE_TEST_SUITE_P(Examples, Levels, testing::ValuesIn(names()),
                         [](const auto& example) { return example.param; });

TEST(Examples, AllHaveALaunch) {
  std::set<std::string> sources, launched;
  for (const auto& entry : std::filesystem::directory_iterator(RPL_EXAMPLES))
    if (entry.path().extension() == ".hip") sources.insert(entry.path().stem().string());
  for (const auto& [name, launch] : launches()) launched.insert(name);
  EXPECT_EQ(launched, sources);
  for (const char* kernel : isa::kExampleKernels) EXPECT_TRUE(sources.contains(kernel)) << kernel;
}

}  // namespace
}  // namespace rpl::emu
