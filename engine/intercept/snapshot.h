// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/capture/capture_writer.h"
#include "engine/capture/reach.h"
#include "engine/capture/wish.h"
#include "engine/intercept/calls.h"
#include "engine/intercept/loaded_code.h"
#include "engine/intercept/memory_log.h"

namespace rpl::intercept {

/// Copies memory that the device can see, in pieces. Memory of the host is read as a file of this process, so that a range which the
/// application unmapped without a word is an error and not a crash.
class MemoryReader {
 public:
  explicit MemoryReader(const Calls& calls);

  /// Fails with io, naming the range.
  rpl::Status read(const KnownRange& range, std::uint64_t offset, std::span<std::byte> into) const;
  /// "gfx942", or "host"; empty for unknown.
  [[nodiscard]] std::string owner_of(const KnownRange& range) const;
  /// What the runtime says of an address; nothing when it does not know it.
  [[nodiscard]] std::optional<hsa::PointerInfo> info_of(std::uint64_t address) const;

 private:
  [[nodiscard]] bool on_host(const KnownRange& range) const;

  const Calls& calls_;
  UniqueFd own_memory_;
};

/// Writes one dispatch into a capture folder: memory before it, memory after it, then what is known of it.
class Snapshot {
 public:
  /// `ranges` are all that exist. Everything referred to must outlive the snapshot.
  Snapshot(const Calls& calls, const CaptureWish& wish, LoadedKernel code,
           const hsa::DispatchPacket& packet, const RangeIndex& ranges);

  /// Begins the folder, so that whatever happens from here on is known afterwards. Fails as CaptureWriter::create does.
  rpl::Status open();
  /// Copies the kernarg segment, variables and memory. Fails as CaptureWriter does, with limit for more than was wished, io.
  rpl::Status before();
  rpl::Status after();
  /// Puts the folder into its place.
  rpl::Status commit(CaptureFacts facts, const std::string& note);
  /// The folder stays, marked as failed.
  void fail(const std::string& reason);

  [[nodiscard]] std::uint64_t memory_bytes() const { return bytes_; }

 private:
  rpl::Status read_kernarg();
  rpl::Status store_variables();
  rpl::Status store(const KnownRange& range, CapturedRegion region);
  rpl::Status for_each_piece(
      const KnownRange& range,
      const std::function<rpl::Status(std::uint64_t, std::span<const std::byte>)>& piece);

  const CaptureWish& wish_;
  LoadedKernel code_;
  hsa::DispatchPacket packet_;
  const RangeIndex& ranges_;
  MemoryReader reader_;
  Reach reach_;
  std::optional<CaptureWriter> writer_;
  Capture capture_;
  std::map<std::uint64_t, KnownRange> stored_;  ///< by base
  std::vector<std::byte> piece_;
  std::uint64_t bytes_ = 0;
};

}  // namespace rpl::intercept
