// SPDX-License-Identifier: MIT
// Captures that are written in pieces: what the capture tool does inside of a foreign process.
#include "engine/capture/capture_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>

#include "engine/capture/arguments.h"
#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

using test::small_capture;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::TempDir;

/// `capture` without its images, which go to the writer in pieces of `piece` bytes.
Capture stream(CaptureWriter& writer, Capture capture, std::size_t piece) {
  const auto give = [&](const std::vector<std::byte>& bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      const auto added =
          writer.append(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
      EXPECT_TRUE(added.has_value()) << added.error().message;
    }
    auto stored = writer.end();
    EXPECT_TRUE(stored.has_value()) << stored.error().message;
    return stored.value_or(StoredFile{});
  };
  for (const auto& region : capture.regions) {
    EXPECT_TRUE(writer.begin_before(region.base, region.size).has_value());
    EXPECT_TRUE(give(region.before).kept);
  }
  for (auto& region : capture.regions) {
    EXPECT_TRUE(writer.begin_after(region.base, region.size).has_value());
    EXPECT_EQ(give(region.after ? *region.after : region.before).kept, region.after.has_value());
    region.before.clear();
    region.after.reset();
  }
  return capture;
}

std::uint64_t blocks_of(const std::string& path) {
  struct stat facts{};
  EXPECT_EQ(::stat(path.c_str(), &facts), 0) << path;
  return static_cast<std::uint64_t>(facts.st_blocks) * 512;
}

TEST(CaptureWriter, PiecesGiveTheSameFolderAsAWholeCapture) {
  const TempDir folder;
  const Capture capture = small_capture();
  ASSERT_TRUE(write_capture(folder / "whole", capture).has_value());
  for (const std::size_t piece : {1U, 100U, 4096U, 1U << 20}) {
    const std::string path = folder / fmt::format("pieces{}", piece);
    auto writer = CaptureWriter::create(path, capture.kernel);
    ASSERT_TRUE(writer.has_value());
    const auto committed = writer->commit(stream(*writer, capture, piece));
    ASSERT_TRUE(committed.has_value()) << committed.error().message;
    for (const char* name : {"capture.json", "dispatch.json", "memory_regions.json"}) {
      EXPECT_EQ(folder.read(fmt::format("pieces{}/{}", piece, name)),
                folder.read(fmt::format("whole/{}", name)));
    }
    EXPECT_TRUE(read_capture(path).has_value());
    EXPECT_FALSE(std::filesystem::exists(path + "/capture.partial.json"));
  }
}

TEST(CaptureWriter, FindsArgumentsThatNobodyNamed) {
  const TempDir folder;
  const Capture capture = small_capture();
  auto writer = CaptureWriter::create(folder / "c", capture.kernel);
  Capture rest = stream(*writer, capture, 64);
  rest.arguments.clear();
  for (auto& region : rest.regions) region.name.clear();
  ASSERT_TRUE(writer->commit(rest).has_value());
  const auto read = read_capture(folder / "c");
  ASSERT_EQ(read->arguments.size(), 4U);
  EXPECT_TRUE(read->arguments[2].buffer);
  EXPECT_EQ(read->arguments[2].region, 2U);
  EXPECT_EQ(read->regions[1].name, "argument 2");
}

TEST(CaptureWriter, ZerosTakeNoRoom) {
  constexpr std::uint64_t kSize = 1 << 20, kBase = 0x7f0000000000;
  const TempDir folder;
  auto writer = CaptureWriter::create(folder / "c", "k");
  const std::vector<std::byte> zeros(kSize), ones(kSize, std::byte{1});
  std::vector<std::byte> mixed(kSize);
  mixed[5000] = std::byte{3};  // in the second page
  std::uint64_t base = kBase;
  const auto store = [&](const std::vector<std::byte>& bytes) {
    EXPECT_TRUE(writer->begin_before(base, bytes.size()).has_value());
    base += kSize;
    // Not a multiple of the page size, so that pages come in two pieces.
    EXPECT_TRUE(writer->append(std::span(bytes).first(12345)).has_value());
    EXPECT_TRUE(writer->append(std::span(bytes).subspan(12345)).has_value());
    return *writer->end();
  };
  EXPECT_EQ(store(zeros).stored_bytes, 0U);
  EXPECT_EQ(store(mixed).stored_bytes, 4096U);
  EXPECT_EQ(store(ones).stored_bytes, kSize);
  EXPECT_EQ(writer->stored_bytes(), kSize + 4096);
  const std::string memory = writer->folder() + "/memory/region_";
  EXPECT_EQ(blocks_of(fmt::format("{}{:x}.bin", memory, kBase)), 0U);
  EXPECT_EQ(std::filesystem::file_size(fmt::format("{}{:x}.bin", memory, kBase + kSize)), kSize);
  EXPECT_LE(blocks_of(fmt::format("{}{:x}.bin", memory, kBase + kSize)), 8192U);
}

TEST(CaptureWriter, SparseAndEqualImagesAreReadWhole) {
  const TempDir folder;
  Capture capture = small_capture();
  capture.regions[0].before.assign(400, std::byte{0});
  capture.regions[1].before = *capture.regions[2].after;
  ASSERT_TRUE(write_capture(folder / "c", capture).has_value());
  // Equal images are one file.
  EXPECT_EQ(std::filesystem::hard_link_count(folder / ("c/" + before_file(capture.regions[1]))),
            2U);
  EXPECT_EQ(std::filesystem::hard_link_count(folder / ("c/" + after_file(capture.regions[2]))), 2U);
  EXPECT_EQ(std::filesystem::hard_link_count(folder / ("c/" + before_file(capture.regions[0]))),
            1U);
  const auto read = read_capture(folder / "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(read->regions[i].before, capture.regions[i].before);
  EXPECT_EQ(read->regions[2].after, capture.regions[2].after);
}

/// A capture of one region of `size` bytes; 0, 1, 2, … before the dispatch.
Capture one_region(std::size_t size) {
  Capture capture = small_capture();
  capture.regions.resize(1);
  capture.regions[0].before.resize(size);
  for (std::size_t i = 0; i < size; ++i)
    capture.regions[0].before[i] = static_cast<std::byte>(i + i / 251);
  capture.regions[0].size = size;
  capture.arguments.clear();
  return capture;
}

TEST(CaptureWriter, AnImageThatDiffersLateIsWrittenWhole) {
  constexpr std::size_t kSize = 3 << 20;
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{1} << 20, (std::size_t{2} << 20) + 77, kSize - 1}) {
    const TempDir folder;
    Capture capture = one_region(kSize);
    capture.regions[0].after = capture.regions[0].before;
    (*capture.regions[0].after)[at] ^= std::byte{1};
    auto writer = CaptureWriter::create(folder / "c", capture.kernel);
    const auto after = *capture.regions[0].after;
    const auto committed = writer->commit(stream(*writer, capture, 100'000));
    ASSERT_TRUE(committed.has_value()) << committed.error().message;
    const auto read = read_capture(folder / "c");
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(read->regions[0].after, after) << at;
  }
}

TEST(CaptureWriter, AnEqualImageHasNoFileAndMustBeWhole) {
  const TempDir folder;
  const Capture capture = one_region(1 << 20);
  auto writer = CaptureWriter::create(folder / "c", capture.kernel);
  const std::uint64_t base = capture.regions[0].base;
  ASSERT_TRUE(writer->begin_before(base, 1 << 20).has_value());
  ASSERT_TRUE(writer->append(capture.regions[0].before).has_value());
  ASSERT_TRUE(writer->end().has_value());
  ASSERT_TRUE(writer->begin_after(base, 1 << 20).has_value());
  ASSERT_TRUE(writer->append(std::span(capture.regions[0].before).first(1000)).has_value());
  EXPECT_THAT(writer->end().error().message, HasSubstr("1000 of 1048576 bytes were given"));
  ASSERT_TRUE(writer->begin_after(base, 1 << 20).has_value());
  EXPECT_THAT(writer->append(std::vector<std::byte>((1 << 20) + 1)).error().message,
              HasSubstr("more than the 1048576 bytes"));
  EXPECT_FALSE(std::filesystem::exists(writer->folder() + "/post"));
}

TEST(CaptureWriter, AFailedOneStaysWithItsReason) {
  const TempDir folder;
  std::string partial;
  {
    auto writer = CaptureWriter::create(folder / "c", "scale");
    ASSERT_TRUE(writer->begin_before(0x1000, 4).has_value());
    partial = writer->folder();
    ASSERT_TRUE(writer->fail("the queue did not become idle within 30 s").has_value());
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "c"));
  const auto marked = read_partial(
      folder.read(std::filesystem::path(partial).filename().string() + "/capture.partial.json"));
  ASSERT_TRUE(marked.has_value()) << marked.error().message;
  EXPECT_TRUE(marked->failed);
  EXPECT_EQ(marked->reason, "the queue did not become idle within 30 s");
  EXPECT_EQ(marked->kernel, "scale");
  EXPECT_TRUE(std::filesystem::is_empty(partial + "/memory"));
  // The next attempt of this process finds a name.
  EXPECT_TRUE(CaptureWriter::create(folder / "c", "scale").has_value());
}

TEST(CaptureWriter, OneThatIsForgottenLeavesNothing) {
  const TempDir folder;
  {
    auto writer = CaptureWriter::create(folder / "c", "scale");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(CaptureWriter, AChildOfTheWriterRemovesNothing) {
  const TempDir folder;
  auto writer = CaptureWriter::create(folder / "c", "scale");
  const pid_t child = ::fork();
  if (child == 0) {
    {
      const CaptureWriter taken = std::move(*writer);
    }
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(std::filesystem::exists(writer->folder() + "/capture.partial.json"));
}

TEST(CaptureWriter, TellsWhetherTheWriterLives) {
  PartialCapture partial = partial_of_this_process("k");
  EXPECT_EQ(writer_state(partial), WriterState::alive);
  const auto read = read_partial(partial_json(partial));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->process_start, partial.process_start);
  ++partial.process_start;  // a later process of this number
  EXPECT_EQ(writer_state(partial), WriterState::gone);
  partial.host += "-elsewhere";
  EXPECT_EQ(writer_state(partial), WriterState::unknown);
}

TEST(CaptureWriter, ALongReasonIsCutBetweenCharacters) {
  PartialCapture partial = partial_of_this_process("k");
  for (int i = 0; i < 3000; ++i) partial.reason += "\u00e9";
  const std::string text = partial_json(partial);
  EXPECT_EQ(text.size(), 4096U);
  EXPECT_EQ(read_partial(text)->reason.substr(0, 4), "\u00e9\u00e9");
}

/// Files of this process may grow to `bytes` while this lives: as on a disk that is full.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST(CaptureWriter, NamesFileAndStepOfAFailureAndKeepsTheReason) {
  const TempDir folder;
  auto writer = CaptureWriter::create(folder / "c", "scale");
  const std::string place = writer->folder();
  Status begun;
  {
    const SmallDisk disk(8192);
    begun = writer->begin_before(0x1000, 1 << 20);
    ASSERT_FALSE(begun.has_value());
    EXPECT_EQ(begun.error().code, Errc::io);
    EXPECT_THAT(begun.error().message,
                HasSubstr("memory/region_1000.bin: set the length: File too large"));
    EXPECT_TRUE(writer->fail(begun.error().message).has_value());
  }
  const auto marked = read_partial(
      folder.read(std::filesystem::path(place).filename().string() + "/capture.partial.json"));
  EXPECT_EQ(marked->reason, begun.error().message);
}

TEST(CaptureWriter, RefusesWhatMakesNoCapture) {
  const TempDir folder;
  const Capture capture = small_capture();
  auto writer = CaptureWriter::create(folder / "c", capture.kernel);
  const auto message_of = [](const auto& result) {
    return result.has_value() ? std::string() : result.error().message;
  };
  EXPECT_THAT(message_of(writer->append({})), HasSubstr("no image is open"));
  EXPECT_THAT(message_of(writer->end()), HasSubstr("no image is open"));
  EXPECT_THAT(message_of(writer->begin_after(0x1000, 4)),
              HasSubstr("no image from before the dispatch"));
  EXPECT_THAT(message_of(writer->unchanged(0x1000)),
              HasSubstr("no image from before the dispatch"));
  ASSERT_TRUE(writer->begin_before(0x1000, 4).has_value());
  EXPECT_THAT(message_of(writer->begin_before(0x2000, 4)), HasSubstr("still open"));
  EXPECT_THAT(message_of(writer->commit(capture)), HasSubstr("still open"));
  EXPECT_THAT(message_of(writer->end()), HasSubstr("0 of 4 bytes were given"));
  EXPECT_THAT(message_of(writer->commit(capture)), HasSubstr("has no image"));
  ASSERT_TRUE(writer->begin_before(0x1000, 4).has_value());
  EXPECT_THAT(message_of(writer->append(std::vector<std::byte>(5))),
              HasSubstr("more than the 4 bytes"));
}

TEST(CaptureWriter, WantsAnImageFromAfterwardsOfEveryRegion) {
  const TempDir folder;
  Capture capture = small_capture();
  auto writer = CaptureWriter::create(folder / "c", capture.kernel);
  for (const auto& region : capture.regions) {
    ASSERT_TRUE(writer->begin_before(region.base, region.size).has_value());
    ASSERT_TRUE(writer->append(region.before).has_value());
    ASSERT_TRUE(writer->end().has_value());
  }
  const auto committed = writer->commit(capture);
  ASSERT_FALSE(committed.has_value());
  EXPECT_THAT(committed.error().message, HasSubstr("has no image from after the dispatch"));
}

}  // namespace
}  // namespace rpl
