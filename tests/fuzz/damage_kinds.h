// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace rpl::test {

/// What became of one damaged file. `untold`: nothing in the format could tell, which is not judged.
enum class Outcome { refused, said, same, silent, untold };

/// One kind of file that others make.
class DamagedKind {
 public:
  virtual ~DamagedKind() = default;
  /// Damages a good file of the kind; false where the damage of this number had no place in it. `what` says what was broken.
  virtual bool damage(Random& random, std::string& what) = 0;
  /// Reads what damage() made and compares with the good file.
  virtual Outcome read() = 0;
};

struct KindOfFile {
  const char* name;
  const char*
      judged;  ///< what would be a silently different answer; "" where the format has nothing that could tell
  std::function<std::unique_ptr<DamagedKind>()> make;
};

/// All of them: recordings, thread traces, captures as folders and archives, evidence, sessions, requests. Good files come from the generators and the seeds
/// of the fuzzers.
const std::vector<KindOfFile>& kinds_of_files();

}  // namespace rpl::test
