// SPDX-License-Identifier: MIT
#include "shell/web/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "engine/base/entropy.h"
#include "engine/base/files.h"
#include "shell/web/http_library.h"

namespace rpl::web {
namespace {

using Clock = std::chrono::steady_clock;

/// Signals are for the thread that makes the pages: threads that are started meanwhile get none.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// A socket that listens on the loopback address, and its port.
Result<std::pair<UniqueFd, int>> listen_on(int port) {
  UniqueFd out(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  if (out) ::setsockopt(out.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (!out || ::bind(out.get(), plain, size) != 0 || ::listen(out.get(), SOMAXCONN) != 0 ||
      ::getsockname(out.get(), plain, &size) != 0)
    return fail(Errc::io,
                fmt::format("cannot listen on 127.0.0.1:{}: {}", port, std::strerror(errno)),
                "without --port any free one is taken");
  return std::pair{std::move(out), static_cast<int>(ntohs(address.sin_port))};
}

/// One request on its way; from its headers to the end of its answer.
struct Exchange {
  MHD_Connection* connection = nullptr;
  int socket = -1;
  Request request;
  std::optional<Response> response;
  bool has_body = false;
  bool gone = false;  ///< nobody waits for it any more, or its time is over
  Clock::time_point until{};
};

class Server : public HttpServer {
 public:
  Server(const HttpLibrary& library, std::string token, int port, const ServerLimits& limits,
         std::function<void()> stop_work)
      : library_(library),
        door_(std::move(token), port),
        port_(port),
        limits_(limits),
        stop_work_(std::move(stop_work)) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  ~Server() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      // What is still waiting must not be when the library stops.
      while (!waiting_.empty()) give_up(*waiting_.front());
      if (working_ != nullptr) give_up(*working_);
    }
    changed_.notify_all();
    if (watcher_.joinable()) watcher_.join();
    if (daemon_ != nullptr) library_.stop_daemon(daemon_);
  }

  Status listen(UniqueFd socket) {
    const NoSignals hidden;
    constexpr unsigned kIdleSeconds = 30;
    // Where the limit of the library is reached nobody is let in: it is out of reach, because drop_one_of_too_many() comes before it.
    const unsigned most = 2 * limits_.connections;
    const auto options = std::to_array<MHD_OptionItem>(
        {{MHD_OPTION_LISTEN_SOCKET, socket.get(), nullptr},
         {MHD_OPTION_CONNECTION_LIMIT, static_cast<intptr_t>(most), nullptr},
         {MHD_OPTION_CONNECTION_MEMORY_LIMIT, static_cast<intptr_t>(limits_.request_bytes),
          nullptr},
         {MHD_OPTION_CONNECTION_TIMEOUT, kIdleSeconds, nullptr},
         {MHD_OPTION_NOTIFY_COMPLETED, reinterpret_cast<intptr_t>(&Server::completed), this},
         {MHD_OPTION_NOTIFY_CONNECTION, reinterpret_cast<intptr_t>(&Server::connected), this},
         {MHD_OPTION_END, 0, nullptr}});
    daemon_ = library_.start_daemon(MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0,
                                    nullptr, nullptr, &Server::asked, this, MHD_OPTION_ARRAY,
                                    options.data(), MHD_OPTION_END);
    if (daemon_ == nullptr)
      return fail(Errc::io, "libmicrohttpd does not start", "the limit of threads may be reached");
    // The library closes it.
    static_cast<void>(socket.release());
    watcher_ = std::thread([this] { watch(); });
    return {};
  }

  [[nodiscard]] int port() const override { return port_; }

  std::optional<Request> next(std::chrono::milliseconds patience) override {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, patience, [this] { return !waiting_.empty(); }))
      return std::nullopt;
    working_ = waiting_.front();
    waiting_.pop_front();
    working_->until = Clock::now() + limits_.to_work;
    return working_->request;
  }

  bool answer(const Request& /*request*/, Response response) override {
    const std::lock_guard lock(mutex_);
    Exchange* one = std::exchange(working_, nullptr);
    if (one == nullptr) return false;
    const bool stopped = one->gone;
    one->response = std::move(response);
    ++counts_.answered;
    library_.resume_connection(one->connection);
    return stopped;
  }

  [[nodiscard]] Counts counts() const override {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  // --- called by the library, in its thread ---
  static MHD_Result asked(void* self, MHD_Connection* connection, const char* address,
                          const char* method, const char* /*version*/, const char* /*upload*/,
                          std::size_t* upload_size, void** state) {
    auto& server = *static_cast<Server*>(self);
    if (*state == nullptr) {
      auto one = std::make_unique<Exchange>();
      one->connection = connection;
      one->socket = server.socket_of(connection);
      const char* length = server.header(connection, "Content-Length");
      const char* coding = server.header(connection, "Transfer-Encoding");
      one->has_body = (length != nullptr && std::string_view(length) != "0") || coding != nullptr;
      *state = one.release();
      // What has a body is refused before it is read.
      if (!static_cast<Exchange*>(*state)->has_body) return MHD_YES;
    }
    auto& one = *static_cast<Exchange*>(*state);
    if (*upload_size != 0) {
      *upload_size = 0;
      return MHD_YES;
    }
    if (one.response) return server.send(one);
    return server.decide(one, method, address);
  }

  static void completed(void* self, MHD_Connection* connection, void** state,
                        MHD_RequestTerminationCode /*why*/) {
    auto& server = *static_cast<Server*>(self);
    delete static_cast<Exchange*>(*state);
    *state = nullptr;
    const std::lock_guard lock(server.mutex_);
    server.expect(server.socket_of(connection), server.limits_.to_ask);
  }

  static void connected(void* self, MHD_Connection* connection, void** /*state*/,
                        MHD_ConnectionNotificationCode what) {
    auto& server = *static_cast<Server*>(self);
    const std::lock_guard lock(server.mutex_);
    const int socket = server.socket_of(connection);
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
      ++server.open_;
      server.expect(socket, server.limits_.to_ask);
      server.drop_one_of_too_many(socket);
    } else {
      --server.open_;
      if (server.due_.contains(socket) && server.due_[socket].dropped) --server.dropped_;
      server.due_.erase(socket);
    }
  }

  /// From here on the client must do something within `patience`: ask, or take its answer.
  void expect(int socket, std::chrono::milliseconds patience) {
    Due& due = due_[socket];
    due.since = Clock::now();
    due.until = due.since + patience;
  }

  /// Whoever comes gets in: where all places are taken, who has been slow the longest loses its own. One that asks as it comes, as every browser does, has its place for a moment only.
  void drop_one_of_too_many(int newest) {
    if (open_ - dropped_ <= limits_.connections) return;
    auto slowest = due_.end();
    for (auto one = due_.begin(); one != due_.end(); ++one) {
      if (one->first == newest || one->second.dropped) continue;
      if (slowest == due_.end() || one->second.since < slowest->second.since) slowest = one;
    }
    if (slowest == due_.end()) return;
    slowest->second.dropped = true;
    ++dropped_;
    ::shutdown(slowest->first, SHUT_RDWR);
  }

  const char* header(MHD_Connection* connection, const char* name) const {
    return library_.lookup_connection_value(connection, MHD_HEADER_KIND, name);
  }
  [[nodiscard]] int socket_of(MHD_Connection* connection) const {
    const auto* info = library_.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == nullptr ? -1 : info->connect_fd;
  }

  static MHD_Result count_hosts(void* count, MHD_ValueKind /*kind*/, const char* name,
                                const char* /*value*/) {
    constexpr std::string_view kHost = "host";
    const std::string_view given(name);
    const bool is_host = std::ranges::equal(given, kHost, {}, [](char c) {
      return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    if (is_host) ++*static_cast<std::size_t*>(count);
    return MHD_YES;
  }
  static MHD_Result keep_argument(void* query, MHD_ValueKind /*kind*/, const char* name,
                                  const char* value) {
    auto& kept = *static_cast<std::map<std::string, std::string, std::less<>>*>(query);
    constexpr std::size_t kMost = 16;
    if (kept.size() < kMost) kept.emplace(name, value == nullptr ? "" : value);
    return MHD_YES;
  }

  Knock knock_of(const Exchange& one, const char* method, const char* address) const {
    const auto text = [&](const char* name) {
      const char* value = header(one.connection, name);
      return std::string(value == nullptr ? "" : value);
    };
    Knock out{method, address, text("Host"), text("Origin"), text("Sec-Fetch-Site"), text("Cookie"),
              {},     0,       one.has_body};
    library_.get_connection_values(one.connection, MHD_HEADER_KIND, &Server::count_hosts,
                                   &out.hosts);
    const char* token =
        library_.lookup_connection_value(one.connection, MHD_GET_ARGUMENT_KIND, "token");
    if (token != nullptr) out.token = token;
    return out;
  }

  MHD_Result decide(Exchange& one, const char* method, const char* address) {
    constexpr int kTooMany = 503, kTooLong = 414;
    constexpr std::size_t kLongestPath = 512;
    std::optional<Response> at_once = door_.refuses(knock_of(one, method, address));
    if (!at_once && std::strlen(address) > kLongestPath)
      at_once = Response::refusal(kTooLong, "No page has such a long name.");
    const std::unique_lock lock(mutex_);
    if (!at_once && (ending_ || waiting_.size() >= limits_.waiting))
      at_once = Response::refusal(kTooMany, "Too much is being asked at once.");
    if (at_once) {
      if (at_once->status >= 400) ++counts_.refused;
      one.response = std::move(at_once);
      return send_locked(one);
    }
    one.request.id = ++last_;
    one.request.path = address;
    library_.get_connection_values(one.connection, MHD_GET_ARGUMENT_KIND, &Server::keep_argument,
                                   &one.request.query);
    one.until = Clock::now() + limits_.to_work;
    // The server's turn: it is not the client who is slow.
    if (!due_[one.socket].dropped) due_.erase(one.socket);
    library_.suspend_connection(one.connection);
    waiting_.push_back(&one);
    changed_.notify_all();
    return MHD_YES;
  }

  MHD_Result send(Exchange& one) {
    const std::lock_guard lock(mutex_);
    return send_locked(one);
  }
  MHD_Result send_locked(Exchange& one) {
    const Response& response = *one.response;
    MHD_Response* out = library_.create_response_from_buffer(
        response.body.size(), const_cast<char*>(response.body.data()), MHD_RESPMEM_MUST_COPY);
    if (out == nullptr) return MHD_NO;
    library_.add_response_header(out, "Content-Type", std::string(response.type).c_str());
    for (const auto& [name, value] : standing_headers())
      library_.add_response_header(out, name.c_str(), value.c_str());
    for (const auto& [name, value] : response.headers)
      library_.add_response_header(out, name.c_str(), value.c_str());
    const MHD_Result queued =
        library_.queue_response(one.connection, static_cast<unsigned>(response.status), out);
    library_.destroy_response(out);
    expect(one.socket, limits_.to_take);
    return queued;
  }

  // --- the thread that watches ---
  void watch() {
    constexpr std::chrono::milliseconds kTick{100};
    std::unique_lock lock(mutex_);
    while (!ending_) {
      changed_.wait_for(lock, kTick, [this] { return ending_; });
      const Clock::time_point now = Clock::now();
      for (const auto& [socket, due] : due_) {
        // Whoever asks or takes too slowly has had its time; the library sees the end and closes.
        if (now > due.until) ::shutdown(socket, SHUT_RDWR);
      }
      for (std::size_t i = waiting_.size(); i-- > 0;) {
        if (is_over(*waiting_[i], now)) give_up(*waiting_[i]);
      }
      if (working_ != nullptr && (working_->gone || is_over(*working_, now))) {
        working_->gone = true;
        stop_work_();
      }
    }
  }

  static bool is_over(const Exchange& one, Clock::time_point now) {
    pollfd wait{one.socket, POLLRDHUP, 0};
    return now > one.until || ::poll(&wait, 1, 0) > 0;
  }

  /// Answers what nobody works on.
  void give_up(Exchange& one) {
    constexpr int kUnavailable = 503;
    std::erase(waiting_, &one);
    if (working_ == &one) working_ = nullptr;
    one.response = Response::refusal(kUnavailable, "That took too long, or rpl is ending.");
    library_.resume_connection(one.connection);
  }

  const HttpLibrary& library_;
  const Door door_;
  const int port_;
  const ServerLimits limits_;
  const std::function<void()> stop_work_;
  MHD_Daemon* daemon_ = nullptr;
  std::thread watcher_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Exchange*> waiting_;
  Exchange* working_ = nullptr;
  /// A connection whose client has something to do.
  struct Due {
    Clock::time_point since{}, until{};
    bool dropped = false;  ///< its place was given to another; the library has yet to see it
  };
  std::map<int, Due> due_;
  std::size_t open_ = 0, dropped_ = 0;
  std::uint64_t last_ = 0;
  Counts counts_;
  bool ending_ = false;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::start(int port, std::string token,
                                                      const ServerLimits& limits,
                                                      std::function<void()> stop_work) {
  const HttpLibrary& library = *TRY(http_library());
  auto [socket, bound] = TRY(listen_on(port));
  auto out =
      std::make_unique<Server>(library, std::move(token), bound, limits, std::move(stop_work));
  TRY(out->listen(std::move(socket)));
  return std::unique_ptr<HttpServer>(std::move(out));
}

std::string new_token() {
  return fmt::format("{:016x}{:016x}", system_entropy(), system_entropy());
}

}  // namespace rpl::web
