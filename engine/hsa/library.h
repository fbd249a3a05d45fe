// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/hsa/api.h"

namespace rpl::hsa {

/// A runtime that was opened at run time: nothing links it.
struct Library {
  std::string path;  ///< as the loader found it
  std::string
      rocm_version;  ///< of the installation that it is part of, "6.2.0-66"; empty for unknown
  Api api;
};

/// What RPL_HSA_RUNTIME names (a file, or a folder that holds libhsa-runtime64.so.1); without it what the loader finds by that name, or
/// below ROCM_PATH or /opt/rocm. It stays open until the process ends. Fails with missing_capability, saying what was tried, or which
/// function it lacks.
Result<Library> open_library();

/// Fails with missing_capability for the first function that the table lacks.
rpl::Status check_complete(const Api& api);

}  // namespace rpl::hsa
