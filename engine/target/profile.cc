// SPDX-License-Identifier: MIT
#include "engine/target/profile.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/sha256.h"

namespace rpl {

std::string code_of_program(const std::string& path) {
  // A program of that size is hashed in a second; larger ones are known by their arguments alone.
  constexpr std::uintmax_t kMostCodeBytes = 256U << 20U;
  constexpr std::size_t kCodeDigits = 16;
  std::error_code error;
  if (std::filesystem::file_size(path, error) > kMostCodeBytes || error) return {};
  const auto bytes = read_text_file(path);
  return bytes ? sha256_hex(*bytes).substr(0, kCodeDigits) : std::string();
}

Status keep_output(const std::string& folder, const Exit& exit, std::size_t run) {
  const auto keep = [&](const char* name, const Captured& printed) -> Status {
    if (printed.text.empty()) return {};
    const std::string file =
        run == 1 ? fmt::format("{}.txt", name) : fmt::format("{}.{}.txt", name, run);
    return write_file((std::filesystem::path(folder) / file).string(), printed.text);
  };
  TRY(keep("stdout", exit.out));
  return keep("stderr", exit.err);
}

void note_untraced(const ProfileRequest& request, ProfileRun& run) {
  if (request.trace_kernel.empty() || !run.thread_traces.empty()) return;
  run.notes.push_back(fmt::format(
      "no thread trace: no kernel that ran has '{}' in its name; 'info kernels' lists them",
      request.trace_kernel));
}

}  // namespace rpl
