// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/process/run.h"
#include "engine/source/build/build.h"
#include "tests/support/compiler_under_test.h"
#include "tests/support/temp_dir.h"

namespace rpl {

struct Ran {
  int code = -1;
  std::string out, err;
};

/// Host programs, compiled by clang with the headers of this test program and run with the emulated devices' libamdhip64 in front.
/// Skips where there is no compiler, or no such headers.
class Programs : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto found = find_compiler(testing_support::compiler_under_test(), kHeaders);
    if (!found) GTEST_SKIP() << found.error().message;
    compiler_ = std::move(*found);
  }

  /// Compiles for both architectures, each source once for all tests that want it with these flags. "" after a failed expectation.
  std::string built(const std::string& source, std::vector<std::string> flags = {}) {
    static const testing_support::TempDir kept;
    static std::map<std::vector<std::string>, std::string> programs;
    flags.emplace_back("--offload-arch=gfx90a");
    std::vector<std::string> key = flags;
    key.push_back(source);
    if (const auto known = programs.find(key); known != programs.end()) return known->second;
    const std::string folder = kept / std::to_string(programs.size()),
                      program = folder + "/program";
    std::filesystem::create_directory(folder);
    const auto outcome = build_hip(compiler_, {.source = source,
                                               .architecture = "gfx942",
                                               .output = program,
                                               .device_only = false,
                                               .flags = flags});
    if (!outcome || !outcome->built) {
      ADD_FAILURE() << (outcome ? first_error(*outcome) : outcome.error().message);
      return {};
    }
    return programs[key] = program;
  }

  static Ran ran(const std::vector<std::string>& argv, std::vector<std::string> environment) {
    environment.emplace_back("LD_LIBRARY_PATH=" RPL_EMULATED_HIP);
    const auto exit = run({.argv = argv, .env = environment, .timeout = std::chrono::seconds(120)});
    if (!exit) return {-1, {}, exit.error().message};
    return {exit->code, exit->out.text, exit->err.text};
  }

#ifdef RPL_TEST_OWN_HEADERS
  static constexpr HipHeaders kHeaders = HipHeaders::own;
#else
  static constexpr HipHeaders kHeaders = HipHeaders::installed;
#endif
  testing_support::TempDir folder_;
  Compiler compiler_;
};

}  // namespace rpl
