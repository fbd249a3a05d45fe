// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"

namespace rpl::profile {

/// What is known of a program before it runs on the emulated devices.
struct CheckedProgram {
  std::string path;        ///< as found in PATH
  bool is_script = false;  ///< not ELF: what it starts is not known before it runs
  std::vector<std::string>
      architectures;  ///< that it has code for, in the file's order; empty when it brings its code at run time
  bool opens_libraries = false;  ///< as interpreters do: it may open libamdhip64 while it runs
  std::string gpu;  ///< what to run it on: the wish, else what suits its code: MI300X, or MI250X
};

/// The path of a program as a shell finds it that is in folder `cwd` ("": ours). Fails with not_found.
Result<std::string> found_in_path(const std::string& name, const std::string& cwd = {});

/// Looks at a program without running it; `libraries` is the folder that its loader will be given, `cwd` the one it will start in. Fails with not_found (no such program,
/// a library that it needs), unsupported (not a program of this machine, code of other architectures or of code-object versions before
/// 4, a static program), missing_capability (not a HIP program), each with what fixes it.
Result<CheckedProgram> check_program(const std::string& name, const std::string& wished_gpu,
                                     const std::string& libraries, const std::string& cwd = {});

}  // namespace rpl::profile
