// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/triton/variants.h"
#include "engine/tune/search/space.h"

namespace rpl::tune {

/// What is run for each configuration. Texts with {NAME} in them take the value of a parameter.
struct Work {
  std::vector<std::string> command =
      {};  ///< words of a program; {BINARY} is what `source` was built to
  std::string source =
      {};  ///< HIP source, built for each configuration with -DNAME=VALUE for each parameter; empty: nothing is built
  std::string capture =
      {};  ///< folder of a captured dispatch whose kernel `source` has; empty: `command` runs
  std::string variants =
      {};  ///< a cache folder of Triton (triton::read_variants()) whose variants of the captured kernel are the configurations; empty: none
  std::string programs =
      {};  ///< of these: workgroups in each direction, calculated from parameters: "-(-4096 // BLOCK_M), 8"; empty: as captured
  std::string
      workgroup = {},
      grid =
          {};  ///< of the captured dispatch where the configuration changes them: "{TILE},{TILE}", in work-items
  std::vector<std::string> flags = {};    ///< for the compiler; one that becomes empty is left out
  std::vector<std::string> include = {};  ///< folders with headers
  std::string architecture = {};          ///< empty: that of the capture, else the usual one
  std::string compiler = {};              ///< as `set build compiler`
  std::string headers = "auto";           ///< as `set build headers`
  std::string target = "emu";  ///< emu, local: dispatch times; host: the whole process from outside
  std::string gpu = {};        ///< of the emulated devices
  std::string kernel =
      {};  ///< part of the names of kernels whose time counts; empty: all that the program runs
  std::string pattern =
      {};  ///< regular expression whose first group is the program's own time in milliseconds; empty: none
  std::string objective =
      {};  ///< of emu and local: "" the dispatches' time; "application": from the first to the last that was recorded, calls and copies too
  std::vector<std::string> check =
      {};  ///< a program that must end with 0 after each run; RPL_OUTPUT names a file with what was printed
  std::int64_t runs = 1;       ///< of the program or dispatch
  std::int64_t timeout_s = 0;  ///< of one run; 0: none
  std::string cwd = {};        ///< where everything runs
};
Value to_value(const Work& work);
/// Fails with corrupt.
Result<Work> work_from(const Value& value);
/// The configurations of Work::variants of a captured kernel. Fails as triton::read_variants() and read_capture() do.
Result<triton::Variants> variants_of(const Work& work);
/// SHA-256 of what decides about times apart from where it runs, with the source's text; 16 hex digits.
std::string digest_of(const Work& work);

/// Puts values of parameters for {NAME} and `binary` for {BINARY}. Other braces stay as they are.
std::string expanded(std::string_view text, const Record& configuration,
                     const std::string& binary = {});
/// Whether -D takes it.
bool is_macro_name(std::string_view name);
/// Fails with usage: nothing to run, a {NAME} that is not a parameter, a name that no -D takes, a pattern without a group.
Status check_work(const Work& work, const Space& space);

}  // namespace rpl::tune
