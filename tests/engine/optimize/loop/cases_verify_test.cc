// SPDX-License-Identifier: MIT
// The answers of the corpus that are good text and good syntax, and wrong: built, and refused by verification on the emulated device.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "engine/base/files.h"
#include "engine/document/json.h"
#include "engine/optimize/verify/verify.h"
#include "engine/source/build/build.h"
#include "engine/source/text/guard.h"
#include "engine/target/emu/emulated_target.h"
#include "tests/engine/capture/captured.h"
#include "tests/support/compiler_under_test.h"
#include "tests/support/shared_data.h"

namespace rpl {
namespace {

std::string field_of(const Value& record, std::string_view key) {
  const Value* value = record.find(key);
  const auto* text = value == nullptr ? nullptr : value->as<std::string>();
  return text == nullptr ? std::string() : *text;
}

std::shared_ptr<const isa::CodeObject> compiled(const Compiler& compiler, const std::string& folder,
                                                const std::string& name, const std::string& text) {
  const std::string source = folder + "/" + name + ".hip", object = folder + "/" + name + ".co";
  if (!write_file(source, text)) return nullptr;
  const auto built =
      build_hip(compiler, {.source = source, .architecture = "gfx942", .output = object});
  EXPECT_TRUE(built && built->built)
      << name << ": " << (built ? first_error(*built) : built.error().message);
  const auto opened = isa::CodeObject::open(object);
  return opened ? *opened : nullptr;
}

/// A dispatch of the corpus's kernel `scale`.
Capture scaling(std::shared_ptr<const isa::CodeObject> object) {
  emu::KernelRun run;
  run.object = std::move(object);
  run.kernel = "_Z5scalePKfPfi";
  run.grid = {1024, 1, 1};
  run.workgroup = {256, 1, 1};
  run.arguments = {emu::floats(1024, emu::Fill::Kind::random, 3), emu::floats(1024),
                   emu::number(1000)};
  return test::captured(run);
}

TEST(GuardCasesVerified, WrongResultsAreRefusedOnTheEmulatedDevice) {
  const std::string path = testing_support::shared_data("guards/cases.json");
  if (path.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  const auto compiler = find_compiler(testing_support::compiler_under_test(), HipHeaders::own);
  if (!compiler) GTEST_SKIP() << compiler.error().message;
  std::ifstream file(path, std::ios::binary);
  const auto cases = parse_json(std::string{std::istreambuf_iterator<char>(file), {}});
  ASSERT_TRUE(cases.has_value());
  const testing_support::TempDir folder;
  EmulatedTarget target;
  std::vector<std::string> refused;
  for (const Value& one : *cases->as<List>()) {
    const std::string id = field_of(one, "id"), source = field_of(one, "source");
    if (field_of(one, "decided_by") != "verification" && id != "ok") continue;
    const auto verdict = check_response(source, field_of(one, "kernel"), field_of(one, "response"));
    ASSERT_TRUE(verdict && verdict->accept) << id;
    const auto baseline = compiled(*compiler, folder / "", id + "_base", source);
    const auto candidate = compiled(*compiler, folder / "", id, verdict->patched);
    ASSERT_TRUE(baseline && candidate) << id;
    const Capture capture = scaling(baseline);
    const auto report =
        verify({.capture = &capture, .baseline = baseline, .candidate = candidate}, target);
    ASSERT_TRUE(report.has_value()) << id << ": " << report.error().message;
    EXPECT_EQ(report->passed, id == "ok")
        << id << (report->findings.empty() ? "" : ": " + report->findings.front().message);
    if (!report->passed) refused.push_back(id + " " + report->findings.front().rule);
  }
  EXPECT_EQ(refused, (std::vector<std::string>{"const-out wrong-values", "skip-work unwritten",
                                               "sample unwritten", "half wrong-values"}));
}

}  // namespace
}  // namespace rpl
