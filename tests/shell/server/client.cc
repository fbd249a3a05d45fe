// SPDX-License-Identifier: MIT
#include "tests/shell/server/client.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "engine/document/json.h"
#include "engine/process/launch.h"

namespace rpl::testing_support {

InterpreterClient::InterpreterClient(const std::vector<std::string>& arguments,
                                     const std::string& folder) {
  ::signal(SIGPIPE, SIG_IGN);
  auto in = process::make_pipe();
  auto out = process::make_pipe();
  if (!in || !out) return;
  Spawn spawn;
  spawn.argv = {RPL_PROGRAM};
  spawn.argv.insert(spawn.argv.end(), arguments.begin(), arguments.end());
  spawn.cwd = folder;
  spawn.env = {"HOME=" + folder, "XDG_CONFIG_HOME=" + folder + "/config",
               "XDG_STATE_HOME=" + folder + "/state"};
  process::Stdio stdio;
  stdio.in = in->read.get();
  stdio.out = out->write.get();
  const auto child = process::launch(spawn, stdio, process::Group::own);
  if (!child) return;
  pid_ = *child;
  to_ = std::move(in->write);
  from_ = std::move(out->read);
  ended_ = false;
}

InterpreterClient::~InterpreterClient() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void InterpreterClient::send(std::string_view line) {
  std::string text(line);
  text += '\n';
  for (std::string_view left = text; !left.empty();) {
    const ssize_t count = ::write(to_.get(), left.data(), left.size());
    if (count <= 0) return;
    left.remove_prefix(static_cast<std::size_t>(count));
  }
}

bool InterpreterClient::fill(std::chrono::milliseconds patience) {
  pollfd wait{from_.get(), POLLIN, 0};
  if (ended_ || ::poll(&wait, 1, static_cast<int>(patience.count())) <= 0) return false;
  std::array<char, 65536> chunk;
  const ssize_t count = ::read(from_.get(), chunk.data(), chunk.size());
  ended_ = count <= 0;
  if (!ended_) buffer_.append(chunk.data(), static_cast<std::size_t>(count));
  return !ended_;
}

std::optional<std::string> InterpreterClient::line(std::chrono::milliseconds patience) {
  std::size_t end = buffer_.find('\n');
  while (end == std::string::npos) {
    if (!fill(patience)) return std::nullopt;
    end = buffer_.find('\n');
  }
  std::string out = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return out;
}

Value InterpreterClient::reply() {
  const auto text = line();
  if (!text) return {};
  return parse_json(*text).value_or(Value());
}

void InterpreterClient::end() { to_.reset(); }

int InterpreterClient::wait() {
  end();
  while (fill()) {
  }
  if (!ended_ || pid_ <= 0) return -1;
  int status = 0;
  const bool gone = ::waitpid(pid_, &status, 0) == pid_;
  pid_ = -1;
  if (!gone) return -1;
  constexpr int kSignalled = 128;
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace rpl::testing_support
