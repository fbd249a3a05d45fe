// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/base/files.h"
#include "engine/base/result.h"

/// The one way in for paths that a person or a file names. Opening never waits: what is not a regular file (a pipe without a writer, a device, a
/// socket, a folder) is refused by name.
namespace rpl {

/// A regular file, open for reading.
struct InputFile {
  UniqueFd fd;
  std::uint64_t bytes = 0;  ///< when it was opened
};

enum class Links { follow, refuse };

/// Fails with not_found, io ("p is a pipe, not a file"), or corrupt for a symbolic link that is refused.
Result<InputFile> open_input(const std::string& path, Links links = Links::follow);

/// The same for what may also be read as a stream: `/dev/stdin`, `/dev/fd/N` and `/proc/self/fd/N` name what is open already, as a shell's <(…) does. A
/// descriptor of a stream does not block: wait_for_input() first.
Result<InputFile> open_text_input(const std::string& path);

/// Whether `path` is one of those, `/dev/stdout` and `/dev/stderr` among them.
bool names_open_descriptor(const std::string& path);

/// Waits until a descriptor has something to read, or its other end is closed. Fails with interrupted.
Status wait_for_input(int fd);

/// At most `count` bytes from the beginning; empty for what open_input() refuses: for guesses at what a file is.
std::string first_bytes(const std::string& path, std::size_t count);

/// What `path` is, for messages: "a pipe", "a folder", "a device", "a socket"; empty for a regular file.
const char* kind_of_special_file(mode_t mode);

/// "p is a pipe, not a file".
Failure not_a_file(const std::string& path, mode_t mode);

}  // namespace rpl
