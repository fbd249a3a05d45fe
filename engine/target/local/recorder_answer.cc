// SPDX-License-Identifier: MIT
#include "engine/target/local/recorder_answer.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "engine/process/run.h"

namespace rpl::profile {
namespace {

// What a command line of recorder_runs uses, by the words of rocprofv3's own help (rocprofiler-sdk, ROCm 7.0 to 7.2).
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kFeatures{
    {{"rocpd databases", "rocpd"},
     {"times of kernels", "--kernel-trace"},
     {"counters", "--pmc"},
     {"thread traces", "--att"},
     {"PC samples", "--pc-sampling-beta-enabled"}}};

std::string last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

}  // namespace

Result<RecorderAnswer> ask_recorder(const std::string& program) {
  const Spawn spawn{
      .argv = {program, "--help"}, .program = Program::tool, .timeout = std::chrono::seconds(30)};
  const auto exit = run(spawn);
  if (!exit && exit.error().code == Errc::interrupted) return Failure(exit.error());
  constexpr std::string_view kAgain = "sudo apt-get install --reinstall rocprofiler-sdk";
  if (!exit)
    return fail(Errc::missing_capability,
                fmt::format("it does not start: {}", exit.error().message), kAgain);
  if (!exit->ok()) {
    const std::string said = last_line(exit->err.text.empty() ? exit->out.text : exit->err.text);
    const std::string end =
        exit->timed_out ? "time-out" : fmt::format("exit status {}", exit->code);
    return fail(Errc::missing_capability,
                fmt::format("it does not even print its help ({}): {}", end, said), kAgain);
  }
  RecorderAnswer out;
  for (const auto& [feature, word] : kFeatures)
    (exit->out.text.find(word) != std::string::npos ? out.features : out.lacks)
        .emplace_back(feature);
  return out;
}

}  // namespace rpl::profile
