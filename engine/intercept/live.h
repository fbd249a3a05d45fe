// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/result.h"
#include "engine/intercept/trigger.h"

/// Asking and telling the capture tool while its program runs: a socket of the program's process in a folder of the user's, one line of JSON
/// each way.
namespace rpl::intercept {

/// What is asked of one process.
struct LiveRequest {
  enum class What { status, arm, hold, go, take };
  What what = What::status;
  CaptureWish wish = {};  ///< of arm; of hold the kernel; of take the folder, scope and limit
  std::chrono::seconds most{0};  ///< of hold: how long at most
};

/// How a process stands.
struct LiveStatus {
  Report report;
  CaptureWish wish;
  std::optional<SeenDispatch> held;
};

std::string request_json(const LiveRequest& request);
Result<LiveRequest> parse_request(std::string_view text);
std::string status_json(const LiveStatus& status);
/// An error that the process answered comes back as that error.
Result<LiveStatus> parse_status(std::string_view text);
std::string live_error_json(const Error& error);

/// Does what is asked and tells how things stand then. `report` gives the whole report.
std::string answer(Trigger& trigger, const std::function<Report()>& report,
                   std::string_view request);

/// Answers requests on a socket of the file system, one after another, in a thread of its own.
class LiveServer {
 public:
  using Answer = std::function<std::string(std::string_view)>;
  /// Fails with io, or limit for a path that is longer than sockets take.
  static Result<std::unique_ptr<LiveServer>> start(const std::string& path, Answer answer);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

 private:
  LiveServer(std::string path, UniqueFd listening, UniqueFd stop, Answer answer);
  void serve();

  std::string path_;
  UniqueFd listening_, stop_;
  Answer answer_;
  std::thread thread_;
};

/// The user's folder for such sockets: $XDG_RUNTIME_DIR/rpl, else /tmp/rpl-UID; made, for the user alone. Fails with io, denied when it belongs to another.
Result<std::string> live_folder();
/// Processes that listen there, ascending. Sockets of processes that are gone are removed.
std::vector<std::int64_t> live_processes(const std::string& folder);
/// Fails with not_found when no such process listens, timeout, io, and as the process answers.
Result<LiveStatus> ask(const std::string& folder, std::int64_t pid, const LiveRequest& request);

}  // namespace rpl::intercept
