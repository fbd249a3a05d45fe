// SPDX-License-Identifier: MIT
// Captures as one file; archives that lie.
#include "engine/capture/pack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/capture/find_captures.h"
#include "engine/capture/zstd_stream.h"
#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

using test::small_capture;
using ::testing::HasSubstr;
using testing_support::TempDir;

/// Equal images, zeros, and a change.
Capture packable() {
  Capture capture = small_capture();
  capture.regions[1].before = capture.regions[0].before;
  return capture;
}

TEST(PackedCapture, ComesBackEqual) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", packable()).has_value());
  const auto packed = pack_capture(folder / "c", "c", folder / "c.tar.zst");
  ASSERT_TRUE(packed.has_value()) << packed.error().message;
  EXPECT_EQ(packed->files, 9U);
  EXPECT_EQ(packed->packed_bytes, std::filesystem::file_size(folder / "c.tar.zst"));
  EXPECT_EQ(packed_name(folder / "c.tar.zst"), "c");
  const auto unpacked = unpack_capture(folder / "c.tar.zst", folder / "d");
  ASSERT_TRUE(unpacked.has_value()) << unpacked.error().message;
  EXPECT_EQ(unpacked->files, 9U);
  EXPECT_EQ(unpacked->bytes, packed->bytes);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "c")) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().lexically_relative(folder / "c").string();
    EXPECT_EQ(folder.read("d/" + name), folder.read("c/" + name)) << name;
  }
  EXPECT_TRUE(read_capture(folder / "d").has_value());
  EXPECT_EQ(std::filesystem::hard_link_count(folder / "d/memory/region_7f0000000000.bin"), 2U);
}

TEST(PackedCapture, HoldsMemoryForItsOwnerAlone) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", packable()).has_value());
  ASSERT_TRUE(pack_capture(folder / "c", "c", folder / "p").has_value());
  ASSERT_TRUE(unpack_capture(folder / "p", folder / "d").has_value());
  namespace fs = std::filesystem;
  constexpr auto kOthers = fs::perms::group_all | fs::perms::others_all;
  for (const char* name : {"c", "p", "d", "d/memory", "d/capture.json", "c/kernarg.bin"})
    EXPECT_EQ(fs::status(folder / name).permissions() & kOthers, fs::perms::none) << name;
}

TEST(PackedCapture, ReplacesNothing) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", small_capture()).has_value());
  folder.write("taken", "x");
  EXPECT_EQ(pack_capture(folder / "c", "c", folder / "taken").error().code, Errc::denied);
  EXPECT_EQ(folder.read("taken"), "x");
  ASSERT_TRUE(pack_capture(folder / "c", "c", folder / "p").has_value());
  EXPECT_EQ(unpack_capture(folder / "p", folder / "c").error().code, Errc::denied);
}

TEST(PackedCapture, HoldsNothingElse) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", small_capture()).has_value());
  folder.write("c/secret", "x");
  const auto packed = pack_capture(folder / "c", "c", folder / "p");
  EXPECT_THAT(packed.error().message, HasSubstr("holds secret, which is not part of a capture"));
  EXPECT_FALSE(std::filesystem::exists(folder / "p"));
}

TEST(PackedCapture, IsATarArchiveForOthers) {
  if (std::system("tar --version >/dev/null 2>&1 && zstd --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "no tar or zstd here";
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", packable()).has_value());
  ASSERT_TRUE(pack_capture(folder / "c", "name", folder / "p").has_value());
  const std::string here = "cd " + folder.path() + " && ";
  ASSERT_EQ(std::system((here + "zstd -dqc p | tar -xf - && diff -r c name").c_str()), 0);
  // And the other way round.
  ASSERT_EQ(std::system((here + "tar -cf - c | zstd -qc > q").c_str()), 0);
  const auto unpacked = unpack_capture(folder / "q", folder / "d");
  ASSERT_TRUE(unpacked.has_value()) << unpacked.error().message;
  EXPECT_TRUE(read_capture(folder / "d").has_value());
}

/// An archive of what is given, which tells no truth.
class Archive {
 public:
  explicit Archive(const std::string& path) : out_(*ZstdWriter::create(path)) {}
  Archive& add(const TarEntry& entry, const std::string& content = {}) {
    return raw(tar_header(entry), content);
  }
  Archive& raw(const TarHeader& header, const std::string& content = {}) {
    EXPECT_TRUE(out_.write(header).has_value());
    const std::string padded = content + std::string(tar_padding(content.size()), '\0');
    EXPECT_TRUE(out_.write(std::as_bytes(std::span(padded))).has_value());
    return *this;
  }
  Archive& end() {
    const std::vector<std::byte> zeros(2 * kTarBlock);
    EXPECT_TRUE(out_.write(zeros).has_value());
    EXPECT_TRUE(out_.finish().has_value());
    return *this;
  }

 private:
  ZstdWriter out_;
};

/// The header with its checksum as it must be.
TarHeader with_checksum(TarHeader header) {
  std::fill_n(header.begin() + 148, 8, std::byte{' '});
  unsigned sum = 0;
  for (const std::byte byte : header) sum += static_cast<unsigned>(byte);
  const std::string digits = fmt::format("{:06o}", sum);
  for (std::size_t i = 0; i < digits.size(); ++i)
    header[148 + i] = static_cast<std::byte>(digits[i]);
  header[154] = std::byte{0};
  return header;
}

class HostileArchive : public testing::Test {
 protected:
  /// An archive that begins with the JSON files of a capture.
  Archive add_json() {
    const TempDir written;
    EXPECT_TRUE(write_capture(written / "c", small_capture()).has_value());
    Archive archive(file_);
    for (const std::string name : {"capture.json", "dispatch.json", "memory_regions.json"}) {
      const std::string text = written.read("c/" + name);
      archive.add({.name = "c/" + name, .link = {}, .bytes = text.size()}, text);
    }
    return archive;
  }

  void expect_refused(const std::string& message, Errc code = Errc::corrupt) {
    const auto unpacked = unpack_capture(file_, folder_ / "d");
    ASSERT_FALSE(unpacked.has_value());
    EXPECT_EQ(unpacked.error().code, code) << unpacked.error().message;
    EXPECT_THAT(unpacked.error().message, HasSubstr(message));
    // Nothing is left, also not beside the folder.
    std::filesystem::remove(file_);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  }

  TempDir folder_;
  const std::string file_ = folder_ / "p";
};

TEST_F(HostileArchive, NamesThatLeadElsewhere) {
  for (const char* name : {"c/../x", "../kernarg.bin", "/kernarg.bin", "kernarg.bin",
                           "c/memory/../kernarg.bin", "c/memory/x/region_1.bin", "./../kernarg.bin",
                           "c/notes", "c/capture.partial.json", "c/memory/passwd", ".."}) {
    Archive(file_).add({.name = name, .link = {}, .bytes = 1}, "x").end();
    expect_refused("is not a file of a capture");
  }
}

TEST_F(HostileArchive, TwoFolders) {
  Archive(file_)
      .add({.name = "c/kernarg.bin", .link = {}, .bytes = 1}, "x")
      .add({.name = "d/kernel.hsaco", .link = {}, .bytes = 1}, "x")
      .end();
  expect_refused("more than one folder");
}

TEST_F(HostileArchive, AFileTwice) {
  const TarEntry entry{.name = "c/kernarg.bin", .link = {}, .bytes = 1};
  Archive(file_).add(entry, "x").add(entry, "y").end();
  expect_refused("appears twice");
}

TEST_F(HostileArchive, LinksThatLeadElsewhere) {
  Archive(file_)
      .add({.kind = TarEntry::Kind::hard_link, .name = "c/kernarg.bin", .link = "/etc/passwd"})
      .end();
  expect_refused("'/etc/passwd' is not a file of a capture");
  Archive(file_)
      .add({.kind = TarEntry::Kind::hard_link, .name = "c/kernarg.bin", .link = "c/kernel.hsaco"})
      .end();
  expect_refused("did not come before it");
}

TEST_F(HostileArchive, SymbolicLinksAndDevices) {
  for (const char kind : {'2', '3', '4', '6', 'S'}) {
    TarHeader header = tar_header({.name = "c/kernarg.bin", .link = "/etc/passwd"});
    header[156] = static_cast<std::byte>(kind);
    Archive(file_).raw(with_checksum(header)).end();
    expect_refused("is neither a file nor a folder", Errc::unsupported);
  }
}

TEST_F(HostileArchive, SizesThatNoCaptureHas) {
  Archive(file_)
      .add({.name = "c/memory/region_1000.bin", .link = {}, .bytes = ~std::uint64_t{0} >> 9})
      .end();
  expect_refused("64.00 MiB before the JSON files", Errc::limit);
  Archive(file_)
      .add({.name = "c/dispatch.json", .link = {}, .bytes = std::uint64_t{1} << 30})
      .end();
  expect_refused("more than a capture has", Errc::limit);
}

TEST_F(HostileArchive, OneThatEndsEarly) {
  Archive(file_)
      .add({.name = "c/memory/region_1000.bin", .link = {}, .bytes = std::uint64_t{1} << 20})
      .end();
  expect_refused("ends too early");
}

TEST_F(HostileArchive, MuchMemoryBeforeAnythingSaysThatItIsACapture) {
  const std::string image(std::size_t{40} << 20, 'a');
  Archive(file_)
      .add({.name = "c/memory/region_1000.bin", .link = {}, .bytes = image.size()}, image)
      .add({.name = "c/memory/region_9000000.bin", .link = {}, .bytes = image.size()}, image)
      .end();
  expect_refused("before the JSON files that say what the capture has", Errc::limit);
}

TEST_F(HostileArchive, ManyFilesBeforeAnythingSaysThatItIsACapture) {
  Archive archive(file_);
  for (int i = 0; i < 5000; ++i)
    archive.add({.name = fmt::format("c/memory/region_{:x}.bin", i), .link = {}});
  archive.end();
  expect_refused("more than 4,096 files", Errc::limit);
}

TEST_F(HostileArchive, FoldersWithoutEnd) {
  Archive archive(file_);
  for (int i = 0; i < 2000; ++i) {
    TarHeader header = tar_header({.name = "c/memory/", .link = {}});
    header[156] = std::byte{'5'};
    archive.raw(with_checksum(header));
  }
  archive.end();
  expect_refused("more folders and extended headers than files");
}

TEST_F(HostileArchive, AFileThatCaptureJsonDoesNotName) {
  add_json().add({.name = "c/memory/region_dead0000.bin", .link = {}, .bytes = 1}, "x").end();
  expect_refused("'memory/region_dead0000.bin' is not a file that capture.json names");
}

TEST_F(HostileArchive, AFileOfAnotherSizeThanCaptureJsonSays) {
  add_json()
      .add({.name = "c/memory/region_7f0000000000.bin",
            .link = {},
            .bytes = std::uint64_t{32} << 30})
      .end();
  expect_refused("has 34359738368 bytes, the capture's JSON files say");
}

TEST_F(HostileArchive, MoreThanTheLimit) {
  // Nothing but the JSON files and one header: what they say is enough.
  add_json().add({.name = "c/kernarg.bin", .link = {}, .bytes = 64}).end();
  const auto unpacked = unpack_capture(file_, folder_ / "d", 1);
  ASSERT_FALSE(unpacked.has_value());
  EXPECT_EQ(unpacked.error().code, Errc::limit);
  EXPECT_THAT(unpacked.error().message, HasSubstr("more than the limit of 1 B"));
}

TEST_F(HostileArchive, AWrongChecksum) {
  TarHeader header = tar_header({.name = "c/kernarg.bin", .link = {}});
  header[0] = std::byte{'d'};
  Archive(file_).raw(header).end();
  expect_refused("checksum is wrong");
}

TEST_F(HostileArchive, ExtendedHeadersThatRename) {
  TarHeader header = tar_header({.name = "pax", .link = {}, .bytes = 22});
  header[156] = std::byte{'x'};
  Archive(file_).raw(with_checksum(header), "22 path=../kernarg.bin").end();
  expect_refused("an extended header with path=", Errc::unsupported);
}

TEST_F(HostileArchive, NoArchiveAtAll) {
  folder_.write("p", "this is not compressed, and it is longer than a header of anything would be");
  expect_refused("p: ");
  EXPECT_EQ(packed_name(file_), "");
  folder_.write("p", "");
  expect_refused("ends too early");
}

TEST_F(HostileArchive, NoCapture) {
  Archive(file_).end();
  expect_refused("holds no capture");
  Archive(file_).add({.name = "c/kernarg.bin", .link = {}, .bytes = 1}, "x").end();
  expect_refused("holds no dispatch.json");
}

TEST_F(HostileArchive, ContentThatIsNotWhatCaptureJsonSays) {
  Capture capture = small_capture();
  ASSERT_TRUE(write_capture(folder_ / "c", capture).has_value());
  std::string memory = folder_.read("c/memory/region_7f0000000000.bin");
  memory[7] = static_cast<char>(memory[7] + 1);
  folder_.write("c/memory/region_7f0000000000.bin", memory);
  ASSERT_TRUE(pack_capture(folder_ / "c", "c", file_).has_value());
  std::filesystem::remove_all(folder_ / "c");
  expect_refused("memory/region_7f0000000000.bin: its SHA-256 is not the one in capture.json");
}

}  // namespace
}  // namespace rpl
