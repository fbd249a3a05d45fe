// SPDX-License-Identifier: MIT
// regress: the page of one kernel.
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/output_file.h"
#include "engine/base/text.h"
#include "engine/process/run.h"
#include "shell/commands/kernel/regress.h"

namespace rpl {
namespace {

/// The line that compares one kernel again.
std::string line_again(const RegressArgs& args, const regress::Comparison& of) {
  std::vector<std::string> words{"rpl", "regress"};
  if (are_objects(args))
    words.insert(words.end(), args.files.begin(), args.files.end());
  else
    words.push_back(of.source);
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.push_back(fmt::format("--{}={}", name, value));
  };
  add("kernel", of.kernel);
  for (const std::string& compiler : args.compiler) add("compiler", compiler);
  add("flags-a", args.flags_a);
  add("flags-b", args.flags_b);
  add("launch", args.launch);
  add("capture", args.capture);
  add("arch", args.arch);
  if (args.beyond) add("beyond", fmt::format("{}", *args.beyond));
  return command_line(words);
}

}  // namespace

Status write_regress_report(const RegressArgs& args, RegressedKernel& one) {
  const regress::Comparison& compared = one.compared;
  const bool differs = compared.verdict == regress::Verdict::a_slower ||
                       compared.verdict == regress::Verdict::b_slower ||
                       compared.results.results == regress::Results::different;
  if (args.report.empty() || !compared.a || !differs) return {};
  TRY(make_folder(args.report));
  one.facts.again = line_again(args, compared);
  const std::string stem = std::filesystem::path(compared.source).stem().string();
  one.report = fmt::format("{}/{}.{}.md", args.report, stem, short_kernel(compared.kernel));
  return write_named_file(one.report, report_of(compared, one.facts));
}

}  // namespace rpl
