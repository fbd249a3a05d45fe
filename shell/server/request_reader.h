// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <thread>

#include "engine/base/unique_fd.h"
#include "shell/server/protocol/line_splitter.h"
#include "shell/server/work_queue.h"

namespace rpl {

/// Reads lines from a descriptor in a thread of its own, so that a cancel is heard while something runs. At the end of input it closes the queue.
class RequestReader {
 public:
  /// `take` is called in that thread. It may fill and cancel `queue`, nothing else of the shell.
  RequestReader(int descriptor, std::size_t longest, LineSplitter::Take take, WorkQueue& queue);
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;
  /// Stops reading.
  ~RequestReader();

 private:
  void read(int descriptor, std::size_t longest, const LineSplitter::Take& take);

  WorkQueue& queue_;
  UniqueFd stop_;
  std::thread thread_;
};

}  // namespace rpl
