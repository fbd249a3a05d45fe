// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "engine/base/result.h"

namespace rpl {

/// Hashes files while they are being written: a thread reads what was just written, from the system's cache, and has the disk begin with it. What is
/// written must not change any more. In a child of a fork, where there is no such thread, it can only be destroyed.
class BackgroundHashes {
 public:
  BackgroundHashes();
  BackgroundHashes(const BackgroundHashes&) = delete;
  BackgroundHashes& operator=(const BackgroundHashes&) = delete;
  /// Stops without finishing.
  ~BackgroundHashes();

  /// A file that was created and is being written from its beginning.
  void follow(const std::string& path);
  /// The one that is followed has its first `bytes` bytes.
  void advance(std::uint64_t bytes);
  /// It has all of them.
  void finish();
  /// It is not wanted; it may be removed.
  void drop();
  /// SHA-256 of every file that was finished, by path. Fails with io for the first that could not be read, interrupted.
  Result<std::map<std::string, std::string>> wait();
  /// Ends the thread; what is not hashed yet never will be.
  void stop();

 private:
  struct State;
  State* state_;  ///< left alone in a child, where its thread and locks are of no use
};

}  // namespace rpl
