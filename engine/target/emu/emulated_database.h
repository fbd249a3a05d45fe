// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/device/hip/recording.h"

namespace rpl::profile {

/// Where and as what a recording was made; what makes the databases of equal runs differ.
struct RunIdentity {
  std::string host_name, machine_id;
  std::string kernel_name, kernel_release, kernel_version,
      hardware;               ///< of the operating system: uname
  std::uint64_t boot_ms = 0;  ///< since boot, when the program began: part of the recording's id
};
RunIdentity this_run();

/// Writes what a process did on the emulated devices as a rocpd database of schema 3, as rocprofv3 lays it out, marked as modelled in its
/// metadata (provenance = modelled). Equal recordings and identities give equal files. Fails with io or corrupt: a recording without its
/// first record, or one that refers to what it does not have.
Status write_emulated_database(const emu::hip::Recording& recording, const RunIdentity& identity,
                               const std::string& path);

}  // namespace rpl::profile
