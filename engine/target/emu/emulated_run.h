// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/capture/wish.h"
#include "engine/process/run.h"

namespace rpl::profile {

/// A program to run on the emulated devices.
struct EmulatedRequest {
  std::vector<std::string> argv;
  std::string gpu;  ///< "MI300X", "gfx90a"; empty: what suits the program's code
  std::uint32_t devices = 1;
  std::string folder;  ///< where the databases go; made
  std::string cwd =
      {};  ///< where the program starts, from which a relative path to it counts; "": here
  std::chrono::milliseconds timeout{0};
  std::vector<std::string> counters =
      {};  ///< to count for every dispatch, by the hardware's names: emu::known_hardware_counters()
  std::string trace_kernel =
      {};  ///< mangled name, or part of a name: the first dispatch of each such kernel leaves a thread trace; empty: none
  CaptureWish capture = {};  ///< a dispatch to freeze while the program runs
  std::function<void(OutputStream, std::string_view)> on_line =
      {};  ///< each line that the program prints
};

/// One process that used HIP.
struct EmulatedProcess {
  std::int64_t pid = 0;
  std::string database;   ///< FOLDER/HOST/PID_results.db, as rocprofv3 names it
  bool complete = false;  ///< false: the process ended before it could write its last records
  std::string failure;    ///< what a kernel died of; empty for none
  std::vector<std::string> refused;  ///< "hipGraphCreate (2 times)"
  double emulation_s = 0;
  std::vector<std::string>
      thread_traces;  ///< decoded folders, FOLDER/HOST/PID_att/ui_output_agent_A_dispatch_D
  /// What became of EmulatedRequest::capture in this process.
  struct Captured {
    std::uint64_t matches = 0;  ///< dispatches of kernels that it names
    std::string kernel, folder, failure;
  };
  std::optional<Captured>
      captured;  ///< none when no capture was asked for, or the process did not end as programs do
  std::map<std::string, std::uint64_t> dispatches;  ///< by mangled name of the kernel
  std::int64_t kernel_ns = 0;  ///< sum of end - start over its dispatches, modelled
};

struct EmulatedOutcome {
  Exit exit;
  std::string gpu;                         ///< the product
  std::vector<EmulatedProcess> processes;  ///< by pid
};

/// The folder with the emulated devices' libamdhip64: RPL_EMULATED_HIP, else beside this program or in its ../lib/rpl.
/// Fails with missing_capability.
Result<std::string> emulated_library();
/// What LD_LIBRARY_PATH of the program becomes: that folder first, then what the user has there.
std::string library_search_path(const std::string& folder);

/// The architecture that the program will run on, "gfx942", without running it. Fails as check_program() does.
Result<std::string> emulated_architecture(const EmulatedRequest& request);

/// Checks the program, runs it with that library in front, and writes a database for each process that used HIP. A program that fails or
/// is stopped keeps what it had done; after a Ctrl-C the error says where it is. Fails as check_program() and run() do, and with verification_failed when it made no HIP call at all.
Result<EmulatedOutcome> run_emulated(const EmulatedRequest& request);

}  // namespace rpl::profile
