// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/read_everything.h"

namespace rpl::test {

/// Writes the input as a recording called `name` and reads everything of it.
inline int read_input(const char* name, const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("rpl-fuzz-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / name).string();
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const Outcome outcome = read_everything(path);
  if (!outcome.violation.empty()) {
    std::fprintf(stderr, "%s\n", outcome.violation.c_str());
    std::abort();
  }
  return 0;
}

}  // namespace rpl::test
