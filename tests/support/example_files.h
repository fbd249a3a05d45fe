// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace rpl::testing_support {

/// Writes the files that examples of commands name: scale.hip, answer.md and edited.hip, two edits of it; unfinished, a capture that failed.
inline void write_example_files(const std::filesystem::path& folder) {
  const std::string header = "__global__ void scale(const float* in, float* out, int n) {";
  const std::string rest = "\n  if (i < n) out[i] = 2.0f * in[i];\n}\n";
  const std::string before = header + "\n  int i = blockIdx.x * blockDim.x + threadIdx.x;" + rest;
  const std::string after =
      header + "\n  const int i = threadIdx.x + blockIdx.x * blockDim.x;" + rest;
  const std::string include = "#include <hip/hip_runtime.h>\n";
  std::ofstream(folder / "scale.hip") << include << before;
  std::ofstream(folder / "edited.hip") << include << after;
  std::filesystem::create_directories(folder / "unfinished");
  std::ofstream(folder / "unfinished" / "capture.partial.json")
      << R"({"schema":"rpl.capture.partial/1","state":"failed","reason":"the queue did not become idle","kernel":"scale","pid":1,)"
         R"("process_start":1,"host":"here","started":"2026-01-31T23:59:59Z"})";
  std::ofstream(folder / "answer.md") << "Here it is:\n\n```cpp\n" << after << "```\n";
}

}  // namespace rpl::testing_support
