// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/screen.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/document/json.h"
#include "engine/process/run.h"
#include "engine/source/build/build.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlaceOfOutput = "{output}";

Status compile_main(const Application& application, const Compiler& compiler,
                    const std::string& architecture, const std::string& overlay,
                    const std::string& output) {
  const BuildOutcome built = TRY(build_hip(compiler, {.source = application.main_source,
                                                      .architecture = architecture,
                                                      .output = output,
                                                      .device_only = false,
                                                      .flags = application.flags,
                                                      .overlay = overlay}));
  if (built.built) return {};
  return fail(Errc::corrupt,
              fmt::format("{} does not compile: {}", application.main_source, first_error(built)),
              "compiled with: " + built.command);
}

Status run_build_command(const Application& application, const std::string& overlay,
                         const std::string& output) {
  std::string command = application.build_command;
  const std::string quoted = command_line({output});
  for (std::size_t at = command.find(kPlaceOfOutput); at != std::string::npos;
       at = command.find(kPlaceOfOutput, at + quoted.size())) {
    command.replace(at, kPlaceOfOutput.size(), quoted);
  }
  // The driver appends these words to whatever command line the user's build writes.
  const Spawn spawn{.argv = {"/bin/sh", "-c", command},
                    .env = {"RPL_OVERLAY=" + overlay, "RPL_OUTPUT=" + output,
                            "CCC_OVERRIDE_OPTIONS=# +-ivfsoverlay +" + overlay},
                    .timeout = std::chrono::minutes(30)};
  const Exit ended = TRY(run(spawn));
  if (!ended.ok())
    return fail(Errc::corrupt,
                fmt::format("the build command failed with status {}: {}", ended.code,
                            ended.err.text.substr(0, 300)),
                command);
  std::error_code error;
  if (fs::is_regular_file(output, error)) return {};
  return fail(Errc::corrupt, fmt::format("the build command wrote no {}", output),
              "{output} in --build-cmd is where the program is to go");
}

}  // namespace

std::string overlay_text(const std::vector<ReplacedFile>& replaced) {
  List roots;
  for (const ReplacedFile& file : replaced) {
    roots.emplace_back(
        Record{{"name", file.path}, {"type", "file"}, {"external-contents", file.text_path}});
  }
  return to_json(Value(Record{{"version", 0},
                              {"case-sensitive", true},
                              {"use-external-names", false},
                              {"roots", Value(std::move(roots))}}));
}

Status rebuild(const Application& application, const std::vector<ReplacedFile>& replaced,
               const Compiler& compiler, const std::string& architecture,
               const std::string& output) {
  const std::string overlay = output + ".overlay.json";
  TRY(write_file(overlay, overlay_text(replaced)));
  if (!application.build_command.empty()) return run_build_command(application, overlay, output);
  return compile_main(application, compiler, architecture, overlay, output);
}

}  // namespace rpl
