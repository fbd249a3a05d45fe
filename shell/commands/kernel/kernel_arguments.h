// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/execute/launch/kernel_run.h"

/// How the arguments of a kernel are written on a command line.
namespace rpl {

/// "64", "64,2" or "64,2,1". `what` is for the message.
Result<emu::Size3> parse_size3(std::string_view text, std::string_view what);
/// The work-items of a grid: `grid` says them, or `programs` how many workgroups there are. Fails with usage for both, neither, and 2^32 or more.
Result<emu::Size3> parse_launch_grid(const std::string& grid, const std::string& programs,
                                     const emu::Size3& workgroup);

/// One of `--arg`: TYPE:VALUE, TYPE:@FILE, TYPE:INIT:COUNT or TYPE:@FILE:COUNT (the count may be left out), as the parameter takes it. `number`
/// counts from 1 and is the seed of `random` without one. Fails with usage, not_found or io.
Result<emu::Argument> parse_kernel_argument(std::string_view text,
                                            const isa::KernelArgument& parameter,
                                            std::size_t number);

/// All of them, which must be as many as the kernel has parameters; else the error lists what it takes.
Result<std::vector<emu::Argument>> parse_kernel_arguments(const std::vector<std::string>& texts,
                                                          const isa::Kernel& kernel);

/// The bytes of all buffers that have a count, before anything is allocated. What cannot be read counts nothing: parsing will say so.
std::uint64_t buffer_bytes(const std::vector<std::string>& texts, const isa::Kernel& kernel);

/// "buffer", "value of 4 bytes".
std::string parameter_text(const isa::KernelArgument& parameter);

/// "2=FILE" of --dump and --expect.
struct ArgumentFile {
  std::size_t argument = 0;  ///< from 1
  std::string path;
};
/// Fails with usage for another shape or an argument that is not a buffer.
Result<std::vector<ArgumentFile>> parse_argument_files(const std::vector<std::string>& texts,
                                                       std::string_view option,
                                                       const std::vector<emu::Argument>& arguments);

}  // namespace rpl
