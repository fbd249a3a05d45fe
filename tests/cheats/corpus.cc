// SPDX-License-Identifier: MIT
#include "tests/cheats/corpus.h"

#include <chrono>
#include <cstdlib>

#include "engine/optimize/verify/mathematics.h"

namespace rpl::test {
namespace {

std::uint64_t seed() {
  const char* wish = std::getenv("RPL_CHEATS_SEED");
  return wish == nullptr ? 1 : std::strtoull(wish, nullptr, 10);
}

bool is_wanted(const std::string& name) {
  const char* wish = std::getenv("RPL_CHEATS_ONLY");
  return wish == nullptr || name.find(wish) != std::string::npos;
}

void say(const Case& one, const VerifyReport& report, const std::string& why, double seconds) {
  if (std::getenv("RPL_CHEATS_TABLE") == nullptr) return;
  const std::string_view answer = report.passed      ? "accepted"
                                  : report.undecided ? "undecided"
                                                     : "refused";
  std::printf("| %s_%s | %s | %s | %.1f s | %s |\n", one.baseline, one.candidate,
              one.rules.empty() ? "honest" : "wrong", std::string(answer).c_str(), seconds,
              why.c_str());
  std::fflush(stdout);
}

/// Of objects with lines; the loop builds candidates with them once more.
CodeOrigin origin_of(const isa::CodeObject& object) {
  auto lines = object.source_lines();
  if (!lines) return {};
  auto kept = std::make_shared<isa::SourceLines>(std::move(*lines));
  return {.from_mathematics =
              [kept](std::uint64_t address) { return is_from_mathematics(kept->chain(address)); },
          .loop = {}};
}

}  // namespace

std::shared_ptr<const isa::CodeObject> code(const std::string& folder, const std::string& source,
                                            const std::string& architecture) {
  // Many candidates are of one object.
  static std::map<std::string, std::shared_ptr<const isa::CodeObject>> opened;
  auto& object = opened[fmt::format("{}/{}.{}.co", folder, source, architecture)];
  if (object == nullptr)
    object = isa::object_at(fmt::format("{}/{}.{}.co", folder, source, architecture));
  return object;
}

void expect_answers(const std::string& folder, const std::string& architecture,
                    std::span<const Case> cases, const std::map<std::string, KernelRun>& runs) {
  std::map<std::string, Capture> captures;
  std::map<std::string, std::shared_ptr<BaselineStudy>> studies;
  EmulatedTarget target;
  for (const Case& one : cases) {
    const std::string name = fmt::format("{}_{}", one.baseline, one.candidate);
    if (!is_wanted(name)) continue;
    const auto began = std::chrono::steady_clock::now();
    if (!captures.contains(one.baseline)) {
      KernelRun run = runs.at(one.baseline);
      run.object = code(folder, one.source, architecture);
      run.kernel = one.baseline;
      captures.emplace(one.baseline, captured(run));
    }
    const Capture& capture = captures.at(one.baseline);
    auto contract = parse_contract(one.contract, one.baseline);
    std::vector<std::string> variables;
    for (const CapturedRegion& region : capture.regions) variables.push_back(region.variable);
    ASSERT_TRUE(contract && contract->resolve({}, variables)) << one.contract;
    const auto report = verify({.capture = &capture,
                                .candidate = code(folder, one.source, architecture),
                                .kernel = name,
                                .launch = one.launch,
                                .seed = seed(),
                                .contract = *contract,
                                .study = &studies[one.baseline + std::string(one.contract)],
                                .origin = origin_of(*code(folder, one.source, architecture))},
                               target);
    ASSERT_TRUE(report.has_value()) << name << ": " << report.error().message;
    const std::string why = report->findings.empty() ? "passed"
                                                     : report->findings.front().rule + ": " +
                                                           report->findings.front().message;
    say(one, *report, why,
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    if (one.rules.empty()) {
      EXPECT_TRUE(report->passed) << name << ": " << why;
    } else {
      EXPECT_FALSE(report->passed) << name << " passed";
      EXPECT_TRUE(report->passed || one.rules.contains(report->findings.front().rule))
          << name << ": " << why;
    }
  }
}

}  // namespace rpl::test
