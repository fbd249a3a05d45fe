// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "engine/base/files.h"
#include "engine/base/result.h"
#include "engine/document/json.h"

namespace rpl {

/// Text that was printed, and how much of it there was no room for.
struct Printed {
  std::string text;
  std::uint64_t left_out_bytes = 0;
};

/// The process's stdin and stdout, kept for requests and replies alone: from now on descriptor 0 is empty, and what programs that commands start write to
/// descriptor 1 is kept until somebody asks for it. One of it in a process, for as long as it answers.
class Streams {
 public:
  /// Most bytes kept of what is printed between two takes: 1 MiB.
  static constexpr std::size_t kMostPrinted = std::size_t{1} << 20U;

  Streams() = default;
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams();

  /// Takes both over. Fails with io.
  Status take_over();

  /// Where requests come from.
  [[nodiscard]] int requests() const { return in_.get(); }
  /// Where replies go: reply() writes them, and poll() tells when nobody reads them any more.
  [[nodiscard]] int replies() const { return out_.get(); }
  /// Writes a whole line of replies; from any thread. A reader that is gone ends the process, as SIGPIPE does.
  void reply(const JsonText& line);
  /// What was printed to descriptor 1 since the last call.
  Printed take_printed();

 private:
  void read_printed();
  void drain();

  UniqueFd in_, out_, printed_, stop_;
  std::mutex writing_, reading_;
  Printed kept_;
  std::thread reader_;
};

}  // namespace rpl
