// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/capture/background_hashes.h"
#include "engine/capture/capture_json.h"
#include "engine/capture/folder.h"
#include "engine/capture/marks.h"
#include "engine/capture/sparse_file.h"

namespace rpl {

/// Writes a capture in pieces, for a process that cannot hold a second copy of the memory: images first, what is known of the dispatch at the
/// end. The folder is built under a temporary name beside its place and marked with capture.partial.json; commit() puts it into its place, and
/// fail() leaves it as it is with the reason. Destroyed without either, it removes the folder. One image is open at a time. Calls come from one thread
/// at a time; commit() may be left to another thread while the program goes on.
///
///     CaptureWriter writer = TRY(CaptureWriter::create("c1", "scale"));
///     TRY(writer.begin_before(base, size));          // for each region
///     TRY(writer.append(chunk));                     // as often as needed
///     TRY(writer.end());
///     … the dispatch …                               // the same with begin_after
///     TRY(writer.commit(facts));
///
/// Pages of zeros take no room (sparse files), equal images are stored once (hard links, made by commit()). An image after the dispatch is compared
/// with the one before, and written only if it differs. Hashing is left to a thread of its own, which commit() waits for. Errors name file and
/// step; after one only fail() and the destructor are of use.
class CaptureWriter {
 public:
  /// `kernel` is for people who find the folder unfinished. Fails with denied when `path` exists, io.
  static Result<CaptureWriter> create(const std::string& path, std::string kernel);
  CaptureWriter(CaptureWriter&&) = default;

  /// The image of [base, base + size) before or after the dispatch. After: only of a region whose image before was stored, of the same size.
  Status begin_before(std::uint64_t base, std::uint64_t size);
  Status begin_after(std::uint64_t base, std::uint64_t size);
  /// The next bytes of the open image, any number; 64 MiB at a time are as good as all.
  Status append(std::span<const std::byte> bytes);
  /// Closes it. An image after the dispatch that equals the one before has no file: `kept` is false. Not hashed yet.
  Result<StoredFile> end();
  /// Drops the open image.
  void discard();
  /// The dispatch is known to have left a region as it was: as begin_after with equal bytes.
  Status unchanged(std::uint64_t base);

  /// Writes kernarg.bin, kernel.hsaco and the JSON files, synchronises everything with the disk and puts the folder into its place. `capture` is
  /// the dispatch without images (`before` and `after` are not looked at); its regions are those whose images were stored. Without `arguments`
  /// they are found as find_arguments does. With has_after every region must have been given an image after the dispatch. Fails with usage
  /// for a capture that read_capture would refuse, denied, io.
  Status commit(Capture capture);
  /// Leaves the folder unfinished, marked as failed for this reason. Fails with io when not even that can be written.
  Status fail(const std::string& reason);

  /// The folder while it is being written, and how much of it takes room so far; equal images count until commit() has linked them.
  [[nodiscard]] const std::string& folder() const { return folder_.temporary(); }
  [[nodiscard]] std::uint64_t stored_bytes() const { return stored_bytes_; }

 private:
  struct Image {
    std::uint64_t size = 0;
    bool seen_after = false, changed = false;
  };
  /// What is being written. An image after the dispatch has no file as long as it equals the one before.
  struct Open {
    std::string name;
    std::uint64_t base = 0, size = 0;
    std::optional<EarlierImage> earlier;  ///< of an image after the dispatch
    std::optional<SparseFile> file;
  };
  struct Listed {
    CaptureFile file;
    std::uint64_t stored_bytes = 0;
  };

  CaptureWriter(FolderWriter folder, PartialCapture partial)
      : folder_(std::move(folder)),
        partial_(std::move(partial)),
        hashes_(std::make_unique<BackgroundHashes>()) {}
  Status write_partial();
  Status append_to_file(std::span<const std::byte> bytes);
  Status append_after(std::span<const std::byte> bytes);
  Status write_small(const std::string& name, std::span<const std::byte> bytes);
  Status write_text(const std::string& name, const std::string& text) {
    return write_small(name, std::as_bytes(std::span(text)));
  }
  /// Each region has the images that it must have; says which were changed.
  Status match_images(std::vector<CapturedRegion>& regions, bool has_after) const;
  /// Waits for the hashes, and stores equal images once.
  Status finish_images();
  Status link(const std::string& name, const std::string& same);

  FolderWriter folder_;
  PartialCapture partial_;
  UniqueFd partial_file_;
  std::map<std::uint64_t, Image> images_;  ///< by base
  std::vector<Listed> files_;
  std::uint64_t stored_bytes_ = 0;
  std::optional<Open> open_;
  std::unique_ptr<BackgroundHashes> hashes_;  ///< ends before the folder is removed
};

}  // namespace rpl
