// SPDX-License-Identifier: MIT
#include "engine/triton/python_source.h"

#include <gmock/gmock.h>

#include "engine/base/files.h"
#include "tests/engine/triton/triton_runs.h"

namespace rpl::triton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PythonSource, NamesWhatIsPassed) {
  EXPECT_THAT(
      launch_parameters("@triton.jit\ndef sort(a, b, # c,\n  n: tl.int32 = 4, *, K: tl.constexpr,\n"
                        "  T: 'tl.constexpr' = (1, 2), last=f(1, [2, 3]),):\n  pass\n",
                        "sort"),
      ElementsAre("a", "b", "n", "last"));
  EXPECT_THAT(launch_parameters("undef sort(x)\ndef sorted(y)\ndef sort (z):", "sort"),
              ElementsAre("z"));
  for (const char* text : {"", "def", "def ", "def sort", "def sort(", "def sort(a",
                           "def sort(a # )", "def sort(a, (b)", "sort(a)"})
    EXPECT_THAT(launch_parameters(text, "sort"), IsEmpty()) << text;
  EXPECT_THAT(launch_parameters("def (a)", ""), IsEmpty());
}

// The metadata of the examples has the names that Triton had of the same parameters.
TEST(PythonSource, AgreesWithTriton) {
  for (const auto& entry : std::filesystem::directory_iterator(examples() / "objects")) {
    if (entry.path().extension() != ".hsaco") continue;
    const Compiled compiled = open_compiled(entry.path().string());
    std::string name = entry.path().filename().string();
    name = name.substr(0, name.find('.'));
    const auto text = read_text_file((examples() / (name + ".py")).string());
    ASSERT_TRUE(text.has_value());
    std::vector<std::string> wanted;
    for (const auto& [parameter, type] : compiled.metadata.signature) wanted.push_back(parameter);
    EXPECT_EQ(launch_parameters(*text, compiled.metadata.kernel), wanted) << name;
  }
}

}  // namespace
}  // namespace rpl::triton
