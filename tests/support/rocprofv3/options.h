// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// The command line of rocprofv3 as its documentation gives it (rocprofiler-sdk, ROCm 7.0 to 7.2), with its errors.
namespace rpl::stand_in {

struct Options {
  std::map<std::string, std::vector<std::string>>
      given;  ///< by long name without dashes: "pmc"; booleans hold "yes" or "no"
  std::vector<std::string> app;

  [[nodiscard]] bool on(const std::string& name) const;
  /// The first value, or `otherwise`.
  [[nodiscard]] std::string value(const std::string& name, const std::string& otherwise = "") const;
  [[nodiscard]] std::vector<std::string> values(const std::string& name) const;
  /// Whether a kind of trace is wanted: asked for itself, or by an aggregate and not switched off.
  [[nodiscard]] bool traces(const std::string& kind) const;
};

/// What is printed on stderr instead of running the program, and the exit status with it.
struct Refusal {
  std::string text;
  int status = 1;
};

/// Reads the arguments behind the program's name. Returns false and fills `refusal` where rocprofv3 would.
bool parse(const std::vector<std::string>& words, Options& options, Refusal& refusal);

/// What --help prints: the options, as rocprofv3's own help spells them.
std::string help_text();

}  // namespace rpl::stand_in
