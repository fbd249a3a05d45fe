// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/result.h"

/// Which files the program made: what a person names as an output takes the place of those alone. A file carries the mark itself, as the attribute
/// `user.rpl.made` with its size and time, so that one that was changed since is the person's again; where the file system keeps no attributes, this process
/// remembers what it made.
namespace rpl {

/// Marks a file that is complete, before it gets its name. What cannot be marked is not the program's.
void mark_made(int file);
/// The same of one that a program that we started made.
void mark_made(const std::string& path);

/// Fails with denied where `path` is a file that holds something, and that the program did not make or that was changed since, unless this thread has a
/// ReplaceScope. Nothing, and anything but a regular file, passes: OutputFile refuses the latter.
Status check_replaceable(const std::string& path);

/// While it lives, outputs of this thread may take the place of any file: `--force`.
class ReplaceScope {
 public:
  explicit ReplaceScope(bool on);
  ~ReplaceScope();
  ReplaceScope(const ReplaceScope&) = delete;
  ReplaceScope& operator=(const ReplaceScope&) = delete;

 private:
  bool before_;
};

}  // namespace rpl
