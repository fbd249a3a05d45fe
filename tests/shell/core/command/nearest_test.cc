// SPDX-License-Identifier: MIT
#include "shell/core/command/nearest.h"

#include <gmock/gmock.h>

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Nearest, FindsTyposAndSwappedLetters) {
  const std::vector<std::string> names{"critpath", "compare", "summary", "slack"};
  EXPECT_THAT(nearest("sumary", names), ElementsAre("summary"));
  EXPECT_THAT(nearest("crtipath", names), ElementsAre("critpath"));
  EXPECT_THAT(nearest("xyzzy", names), IsEmpty());
}

TEST(Nearest, FindsWhatContainsTheWord) {
  const std::vector<std::string> names{"gemm_kernel", "relu"};
  EXPECT_THAT(nearest("kernel", names), ElementsAre("gemm_kernel"));
}

TEST(DidYouMean, ListsNames) {
  const std::vector<std::string> three{"a", "b", "c"};
  EXPECT_EQ(did_you_mean(three), "did you mean 'a', 'b' or 'c'?");
  EXPECT_EQ(did_you_mean({}), "");
}

}  // namespace
}  // namespace rpl
