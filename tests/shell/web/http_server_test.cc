// SPDX-License-Identifier: MIT
#include "shell/web/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <thread>

#include "engine/base/files.h"
#include "shell/web/http_library.h"

namespace rpl::web {
namespace {

using namespace std::chrono_literals;
constexpr std::string_view kToken = "00112233445566778899aabbccddeeff";

/// A connection to the server as bytes.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    is_there_ =
        ::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  void send(std::string_view text) const {
    static_cast<void>(::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL));
  }
  void ask(std::string_view path, int port) const {
    send(
        fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: rpl-{}={}\r\nConnection: "
                    "close\r\n\r\n",
                    path, port, port, kToken));
  }
  /// Everything up to the end of the connection.
  [[nodiscard]] std::string rest() const {
    std::string out;
    char part[65536];
    for (ssize_t count = ::recv(socket_.get(), part, sizeof part, 0); count > 0;
         count = ::recv(socket_.get(), part, sizeof part, 0))
      out.append(part, static_cast<std::size_t>(count));
    return out;
  }
  void leave() { socket_.reset(); }
  [[nodiscard]] bool is_there() const { return is_there_; }

 private:
  UniqueFd socket_;
  bool is_there_ = false;
};

class HttpServerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto library = http_library(); !library) GTEST_SKIP() << library.error().message;
  }
  HttpServer& start(const ServerLimits& limits = {}) {
    auto started = HttpServer::start(0, std::string(kToken), limits, [this] {
      ++stops_;
      stops_.notify_all();
    });
    EXPECT_TRUE(started) << started.error().message;
    server_ = std::move(*started);
    return *server_;
  }
  /// Waits until the server asks for the end of the work.
  void wait_for_stop() {
    while (stops_ == 0) stops_.wait(0);
  }
  Request next() {
    auto request = server_->next(60s);
    EXPECT_TRUE(request);
    return request.value_or(Request{});
  }

  std::atomic<int> stops_ = 0;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, AnswersInTheOrderOfTheRequests) {
  HttpServer& server = start();
  const Client one(server.port());
  one.ask("/a%20b?x=1&y=%26", server.port());
  const Request first = next();
  EXPECT_EQ(first.path, "/a b");
  EXPECT_EQ(first.argument("x"), "1");
  EXPECT_EQ(first.argument("y"), "&");
  EXPECT_EQ(first.argument("z"), "");
  const Client two(server.port());
  two.ask("/second", server.port());
  EXPECT_FALSE(server.answer(first, Response::page(OwnText("<p>one</p>"))));
  const Request second = next();
  EXPECT_EQ(second.path, "/second");
  server.answer(second, Response::page(OwnText("<p>two</p>")));
  const std::string text = one.rest();
  EXPECT_TRUE(text.starts_with("HTTP/1.1 200")) << text;
  EXPECT_TRUE(text.ends_with("<p>one</p>")) << text;
  EXPECT_NE(text.find("Content-Security-Policy: default-src 'none'"), std::string::npos);
  EXPECT_TRUE(two.rest().ends_with("<p>two</p>"));
  EXPECT_EQ(server.counts().answered, 2U);
}

TEST_F(HttpServerTest, GivesRefusedRequestsToNobody) {
  HttpServer& server = start();
  const Client other(server.port());
  other.send("GET / HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(other.rest().starts_with("HTTP/1.1 403"));
  const Client poster(server.port());
  poster.send(
      fmt::format("POST / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: "
                  "1000000\r\n\r\n",
                  server.port()));
  EXPECT_TRUE(poster.rest().starts_with("HTTP/1.1 405")) << "before its body is read";
  EXPECT_FALSE(server.next(0ms));
  EXPECT_EQ(server.counts().refused, 2U);
}

TEST_F(HttpServerTest, ReadsNoMoreOfARequestThanItMay) {
  HttpServer& server = start();
  const Client one(server.port());
  one.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + std::string(100'000, 'a') + "\r\n\r\n");
  const std::string text = one.rest();
  EXPECT_TRUE(text.empty() || text.starts_with("HTTP/1.1 4")) << text;
  EXPECT_FALSE(server.next(0ms));
}

TEST_F(HttpServerTest, StopsTheWorkForWhoIsGone) {
  HttpServer& server = start();
  Client one(server.port());
  one.ask("/", server.port());
  const Request request = next();
  one.leave();
  wait_for_stop();
  EXPECT_TRUE(server.answer(request, {}));
  const Client two(server.port());
  two.ask("/", server.port());
  EXPECT_FALSE(server.answer(next(), {})) << "what comes after is not stopped";
}

TEST_F(HttpServerTest, StopsWorkThatTakesTooLong) {
  ServerLimits limits;
  limits.to_work = 1ms;
  HttpServer& server = start(limits);
  const Client one(server.port());
  one.ask("/", server.port());
  // It may have waited too long already.
  if (const auto request = server.next(50ms)) {
    wait_for_stop();
    EXPECT_TRUE(server.answer(*request, Response::refusal(503, "Too long.")));
  }
  EXPECT_TRUE(one.rest().starts_with("HTTP/1.1 503"));
}

TEST_F(HttpServerTest, ClosesOnWhoAsksTooSlowly) {
  ServerLimits limits;
  limits.to_ask = 10ms;
  HttpServer& server = start(limits);
  const Client silent(server.port());
  EXPECT_EQ(silent.rest(), "");
  const Client slow(server.port());
  slow.send("GET / HTTP/1.1\r\nHost: ");
  EXPECT_EQ(slow.rest(), "");
}

TEST_F(HttpServerTest, ClosesOnWhoTakesAnAnswerTooSlowly) {
  ServerLimits limits;
  limits.to_take = 10ms;
  HttpServer& server = start(limits);
  const Client one(server.port());
  one.ask("/", server.port());
  constexpr std::size_t kMuch = std::size_t{64} << 20U;
  server.answer(next(), {200, "text/plain", std::string(kMuch, 'x')});
  // Nothing is taken until another one was let in and went: the time of the first is over by then.
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(server.next(100ms));
  }
  EXPECT_LT(one.rest().size(), kMuch);
}

TEST_F(HttpServerTest, RefusesMoreThanMayWait) {
  ServerLimits limits;
  limits.waiting = 1;
  HttpServer& server = start(limits);
  const Client one(server.port()), two(server.port()), three(server.port());
  one.ask("/1", server.port());
  const Request working = next();
  two.ask("/2", server.port());
  three.ask("/3", server.port());
  // One of the two finds the place taken.
  const Client* refused = nullptr;
  while (server.counts().refused == 0) std::this_thread::yield();
  server.answer(working, Response::page(OwnText("1")));
  const Request left = next();
  server.answer(left, Response::page(OwnText("left")));
  refused = left.path == "/2" ? &three : &two;
  EXPECT_TRUE(refused->rest().starts_with("HTTP/1.1 503"));
}

TEST_F(HttpServerTest, TakesNoMoreConnectionsThanItMay) {
  ServerLimits limits;
  limits.connections = 4;
  HttpServer& server = start(limits);
  std::vector<std::unique_ptr<Client>> crowd;
  for (int i = 0; i < 20; ++i) crowd.push_back(std::make_unique<Client>(server.port()));
  crowd.clear();
  const Client one(server.port());
  one.ask("/", server.port());
  server.answer(next(), Response::page(OwnText("still here")));
  EXPECT_TRUE(one.rest().ends_with("still here"));
}

/// Without end for the slow ones, whoever waited for them would never be answered.
TEST_F(HttpServerTest, WhoAsksSlowlyKeepsNobodyOut) {
  ServerLimits limits;
  limits.connections = 4;
  limits.to_ask = 1h;
  HttpServer& server = start(limits);
  std::vector<std::unique_ptr<Client>> crowd;
  for (int i = 0; i < 57; ++i) {
    crowd.push_back(std::make_unique<Client>(server.port()));
    crowd.back()->send("GET / HTTP/1.1\r\nHost: ");
  }
  for (int i = 0; i < 3; ++i) {
    const Client one(server.port());
    one.ask("/", server.port());
    server.answer(next(), Response::page(OwnText("still here")));
    EXPECT_TRUE(one.rest().ends_with("still here"));
  }
  EXPECT_EQ(crowd.front()->rest(), "") << "who was slow for the longest is the one that is dropped";
}

TEST_F(HttpServerTest, WhoTakesAnAnswerSlowlyKeepsNobodyOut) {
  ServerLimits limits;
  limits.connections = 4;
  limits.to_ask = limits.to_take = 1h;
  HttpServer& server = start(limits);
  constexpr std::size_t kMuch = std::size_t{16} << 20U;
  std::vector<std::unique_ptr<Client>> crowd;
  for (int i = 0; i < 12; ++i) {
    crowd.push_back(std::make_unique<Client>(server.port()));
    crowd.back()->ask("/", server.port());
    server.answer(next(), {200, "text/plain", std::string(kMuch, 'x')});
  }
  const Client one(server.port());
  one.ask("/", server.port());
  server.answer(next(), Response::page(OwnText("still here")));
  EXPECT_TRUE(one.rest().ends_with("still here"));
  EXPECT_LT(crowd.front()->rest().size(), kMuch);
}

TEST_F(HttpServerTest, WhoIsWorkedForKeepsItsPlace) {
  ServerLimits limits;
  limits.connections = 2;
  limits.to_ask = 1h;
  HttpServer& server = start(limits);
  const Client one(server.port());
  one.ask("/", server.port());
  const Request request = next();
  std::vector<std::unique_ptr<Client>> crowd;
  for (int i = 0; i < 20; ++i) crowd.push_back(std::make_unique<Client>(server.port()));
  EXPECT_EQ(crowd.front()->rest(), "");
  EXPECT_FALSE(server.answer(request, Response::page(OwnText("made meanwhile"))));
  EXPECT_TRUE(one.rest().ends_with("made meanwhile"));
}

TEST_F(HttpServerTest, EndsWhileRequestsWait) {
  HttpServer& server = start();
  const Client one(server.port()), two(server.port());
  one.ask("/1", server.port());
  next();
  two.ask("/2", server.port());
  server_.reset();
  EXPECT_EQ(one.rest().find("200"), std::string::npos);
}

TEST_F(HttpServerTest, SaysThatAPortIsTaken) {
  HttpServer& server = start();
  const auto second = HttpServer::start(server.port(), std::string(kToken), {}, [] {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Errc::io);
}

TEST(Token, IsLongAndNew) {
  EXPECT_EQ(new_token().size(), 32U);
  EXPECT_NE(new_token(), new_token());
}

}  // namespace
}  // namespace rpl::web
