// SPDX-License-Identifier: MIT
#include "engine/intercept/live.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "engine/base/numbers.h"

namespace rpl::intercept {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostBytes = std::size_t{16} << 20;
constexpr int kPatienceMs = 5000;

std::optional<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un out{};
  out.sun_family = AF_UNIX;
  if (path.size() >= sizeof(out.sun_path)) return std::nullopt;
  std::memcpy(out.sun_path, path.data(), path.size());
  return out;
}

/// One line, without its end; nothing when it does not come whole and in time.
std::optional<std::string> read_line(int socket) {
  std::string out;
  char piece[4096];
  while (out.size() < kMostBytes) {
    pollfd wait{.fd = socket, .events = POLLIN, .revents = 0};
    if (::poll(&wait, 1, kPatienceMs) <= 0) return std::nullopt;
    const ssize_t got = ::recv(socket, piece, sizeof(piece), 0);
    if (got <= 0) return std::nullopt;
    out.append(piece, static_cast<std::size_t>(got));
    if (const std::size_t end = out.find('\n'); end != std::string::npos) return out.substr(0, end);
  }
  return std::nullopt;
}

bool write_line(int socket, const std::string& text) {
  const std::string line = text + "\n";
  for (std::size_t done = 0; done < line.size();) {
    // A peer that is gone must not end the program by a signal.
    const ssize_t sent = ::send(socket, line.data() + done, line.size() - done, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    done += static_cast<std::size_t>(sent);
  }
  return true;
}

Failure socket_error(const std::string& path, std::string_view step) {
  return fail(Errc::io, fmt::format("{}: {}: {}", path, step, std::strerror(errno)));
}

}  // namespace

Result<std::unique_ptr<LiveServer>> LiveServer::start(const std::string& path, Answer answer) {
  const auto address = address_of(path);
  if (!address)
    return fail(Errc::limit, fmt::format("{} is too long for a socket", path),
                "set XDG_RUNTIME_DIR to a shorter folder");
  UniqueFd listening(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      stop(::eventfd(0, EFD_CLOEXEC));
  if (!listening || !stop) return socket_error(path, "socket");
  ::unlink(path.c_str());
  if (::bind(listening.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)) != 0)
    return socket_error(path, "bind");
  if (::chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0 || ::listen(listening.get(), 4) != 0)
    return socket_error(path, "listen");
  return std::unique_ptr<LiveServer>(
      new LiveServer(path, std::move(listening), std::move(stop), std::move(answer)));
}

LiveServer::LiveServer(std::string path, UniqueFd listening, UniqueFd stop, Answer answer)
    : path_(std::move(path)),
      listening_(std::move(listening)),
      stop_(std::move(stop)),
      answer_(std::move(answer)) {
  // Signals are the program's affair, not this thread's.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { serve(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

LiveServer::~LiveServer() {
  const std::uint64_t one = 1;
  (void)!::write(stop_.get(), &one, sizeof(one));
  thread_.join();
  ::unlink(path_.c_str());
}

void LiveServer::serve() {
  while (true) {
    pollfd waits[] = {{.fd = listening_.get(), .events = POLLIN, .revents = 0},
                      {.fd = stop_.get(), .events = POLLIN, .revents = 0}};
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) return;
    if (waits[1].revents != 0) return;
    if (waits[0].revents == 0) continue;
    const UniqueFd peer(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!peer) continue;
    if (const auto request = read_line(peer.get())) write_line(peer.get(), answer_(*request));
  }
}

Result<std::string> live_folder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string path = runtime != nullptr && *runtime != '\0'
                               ? fmt::format("{}/rpl", runtime)
                               : fmt::format("/tmp/rpl-{}", ::getuid());
  if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) return socket_error(path, "mkdir");
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return socket_error(path, "stat");
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::getuid() ||
      (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fail(Errc::denied, fmt::format("{} is not a folder of this user alone", path),
                "set XDG_RUNTIME_DIR");
  }
  return path;
}

std::vector<std::int64_t> live_processes(const std::string& folder) {
  std::vector<std::int64_t> out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const auto pid = whole_number<pid_t>(name);
    if (!pid || !entry.is_socket(ignored)) continue;
    if (::kill(*pid, 0) != 0 && errno == ESRCH) {
      fs::remove(entry.path(), ignored);
      continue;
    }
    out.push_back(*pid);
  }
  std::ranges::sort(out);
  return out;
}

Result<LiveStatus> ask(const std::string& folder, std::int64_t pid, const LiveRequest& request) {
  const std::string path = fmt::format("{}/{}", folder, pid);
  const auto address = address_of(path);
  if (!address) return fail(Errc::limit, fmt::format("{} is too long for a socket", path));
  const UniqueFd peer(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!peer) return socket_error(path, "socket");
  if (::connect(peer.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)) != 0) {
    return fail(Errc::not_found,
                fmt::format("process {} does not listen: {}", pid, std::strerror(errno)),
                "capture live lists those that do");
  }
  if (!write_line(peer.get(), request_json(request))) return socket_error(path, "send");
  const auto line = read_line(peer.get());
  if (!line) return fail(Errc::timeout, fmt::format("process {} did not answer", pid));
  return parse_status(*line);
}

}  // namespace rpl::intercept
