// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>

namespace rpl::test {

/// What is answered about a recording, as texts that are equal where the answers are, and whether anything was said against it.
struct Answers {
  static constexpr std::array<const char*, 3> kQuestions = {"info trace", "info kernels",
                                                            "critpath"};
  /// By question: the answer, and the error instead of it ("").
  std::array<std::string, 3> texts, errors;
  /// Notes of the recording and of the tables that the question reads, in order.
  std::array<std::string, 3> said;
};

/// Opens a recording of any format and answers.
Answers answers_of(const std::string& path);

/// How damaged answers compare with those of the undamaged file.
enum class Verdict { refused, said, silent, same };
Verdict compare(const Answers& good, const Answers& damaged, std::size_t question);

}  // namespace rpl::test
