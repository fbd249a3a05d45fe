// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/capture/capture.h"

/// The JSON files of a capture folder, apart from the folder: what they say, and reading them back without trust.
namespace rpl {

/// The newest version of capture.json that this build writes and reads: "rpl.capture/4", of captures of several dispatches with copies or fills between them.
/// Those without are "rpl.capture/3", those of one dispatch "rpl.capture/2". Version 1 has no variables.
inline constexpr int kCaptureVersion = 4;

/// Of captures of several dispatches: those after the first, and their kernel argument segments one behind the other.
inline constexpr const char* kFollowingFile = "following.json";
inline constexpr const char* kFollowingKernargFile = "following.bin";
/// What fills repeat and what the host brought between dispatches, in their order; where that is any.
inline constexpr const char* kStepDataFile = "steps.bin";

/// One file of the folder as capture.json lists it.
struct CaptureFile {
  std::string path;  ///< "memory/region_7f0000000000.bin"
  std::uint64_t bytes = 0;
  std::string sha256;  ///< 64 hex digits
};

/// "memory/region_7f0000000000.bin", or "post/…".
std::string before_file(const CapturedRegion& region);
std::string after_file(const CapturedRegion& region);
/// Those of the region that begins at `base`.
std::string before_file(std::uint64_t base);
std::string after_file(std::uint64_t base);

/// capture.json: who wrote the capture, its arguments, and the size and hash of every other file.
std::string head_json(const Capture& capture, const isa::Kernel& kernel,
                      const std::vector<CaptureFile>& files);
/// dispatch.json: the packet. Older tools write and read the same keys.
std::string dispatch_json(const Capture& capture, const isa::Kernel& kernel);
/// memory_regions.json: likewise; `name`, `variable`, `changed`, `kind`, `owner` and `flags` are added.
std::string regions_json(const Capture& capture);

/// following.json: the dispatches after the first, with their arguments.
std::string following_json(const Capture& capture);
/// following.bin.
std::vector<std::byte> following_kernargs(const Capture& capture);
/// steps.bin.
std::vector<std::byte> step_data(const Capture& capture);

/// What the JSON files say together. Regions and kernel argument segments have no bytes yet.
struct CaptureDocuments {
  Capture capture;
  bool has_following = false;  ///< capture.json says that there is following.json
  std::vector<std::uint64_t> following_kernarg_bytes = {};  ///< by dispatch after the first
  std::vector<std::uint64_t> step_bytes = {};               ///< of the data of each step, in order
  std::uint64_t all_step_bytes = 0;                         ///< their sum
  bool has_head = false;                                    ///< false for the layout of older tools
  std::vector<CaptureFile> files;                           ///< of capture.json
  std::uint64_t kernarg_bytes = 0;
  std::uint32_t group_segment_bytes = 0;  ///< static and dynamic LDS together
};

/// Reads the texts of the three files; `head` is empty when there is no capture.json. Fails with corrupt, naming file and field, or unsupported
/// for a newer version. Sizes are taken as written: comparing them with the files is the caller's part.
Result<CaptureDocuments> read_documents(std::string_view head, std::string_view dispatch,
                                        std::string_view regions);
/// Adds what following.json says, where `has_following`. Fails with corrupt, also for none or more than kMostCapturedDispatches, for a kernel argument segment of more than
/// kMostKernargBytes, for more than kMostFollowingKernargBytes together, and for more than kMostStepBytes of data.
Status read_following(std::string_view text, CaptureDocuments& documents);
inline constexpr std::uint64_t kMostKernargBytes = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kMostFollowingKernargBytes = std::uint64_t{64} << 20;
inline constexpr std::uint64_t kMostStepBytes = std::uint64_t{64} << 30;

}  // namespace rpl
