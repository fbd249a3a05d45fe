// SPDX-License-Identifier: MIT
#include "engine/base/input_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "engine/base/interrupt.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::TempDir;

std::string complaint(const std::string& path) {
  const auto file = open_input(path);
  EXPECT_FALSE(file.has_value()) << path;
  return file ? std::string() : file.error().message;
}

TEST(InputFile, IsARegularFile) {
  const TempDir folder;
  const std::string path = folder.write("a", "hello");
  const auto file = open_input(path);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->bytes, 5U);
  EXPECT_EQ(first_bytes(path, 3), "hel");
  EXPECT_EQ(first_bytes(path, 30), "hello");
  // Files of /proc say that they have no bytes.
  const std::string maps = first_bytes("/proc/self/smaps", 1 << 20);
  EXPECT_GT(maps.size(), 4096U);
  EXPECT_EQ(first_bytes("/proc/self/smaps", 5000).size(), 5000U);
}

TEST(InputFile, IsNothingThatWouldBeWaitedFor) {
  const TempDir folder;
  const std::string pipe = folder / "p", socket = folder / "s";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(complaint(pipe), pipe + " is a pipe, not a file");
  EXPECT_EQ(first_bytes(pipe, 4), "");
  EXPECT_EQ(read_text_file(pipe).error().message, pipe + " is a pipe, not a file");
  EXPECT_EQ(read_binary_file(pipe).error().code, Errc::io);

  const UniqueFd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  ASSERT_LT(socket.size(), sizeof(address.sun_path));
  socket.copy(address.sun_path, socket.size());
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(complaint(socket), socket + " is a socket, not a file");

  EXPECT_EQ(complaint("/dev/zero"), "/dev/zero is a device, not a file");
  EXPECT_EQ(read_text_file("/dev/urandom").error().message, "/dev/urandom is a device, not a file");
  EXPECT_EQ(complaint(folder.path()), folder.path() + " is a folder, not a file");
}

TEST(InputFile, AFileWithoutEndTakesNoMemory) {
  const TempDir folder;
  const std::string path = folder.write("big", "");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  const auto bytes = read_binary_file(path);
  ASSERT_FALSE(bytes.has_value());
  EXPECT_EQ(bytes.error().code, Errc::limit);
  EXPECT_NE(bytes.error().message.find("big has 1.000 TiB: more than the"), std::string::npos)
      << bytes.error().message;
  EXPECT_EQ(read_text_file(path).error().code, Errc::limit);
}

TEST(InputFile, LinksAreFollowedUnlessTheyAreRefused) {
  const TempDir folder;
  const std::string path = folder.write("a", "hello"), link = folder / "l";
  std::filesystem::create_symlink(path, link);
  EXPECT_TRUE(open_input(link).has_value());
  const auto refused = open_input(link, Links::refuse);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::corrupt);
}

/// The name of an open descriptor, as a shell's <(…) gives it.
std::string name_of(int fd) { return "/dev/fd/" + std::to_string(fd); }

TEST(InputFile, AStreamThatIsOpenAlreadyIsReadToItsEnd) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd reader(ends[0]);
  std::jthread writer([fd = ends[1]] {
    const UniqueFd end(fd);
    EXPECT_EQ(::write(end.get(), "one\n", 4), 4);
    EXPECT_EQ(::write(end.get(), "two\n", 4), 4);
  });
  EXPECT_EQ(read_text_file(name_of(reader.get())).value_or(""), "one\ntwo\n");
  EXPECT_FALSE(open_input(name_of(reader.get())).has_value());
}

TEST(InputFile, WaitingForAStreamEndsWithTheInterruption) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd reader(ends[0]), writer(ends[1]);
  const interrupt::ForNow stopped;
  EXPECT_EQ(read_text_file(name_of(reader.get())).error().code, Errc::interrupted);
}

}  // namespace
}  // namespace rpl
