// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/base/sha256.h"
#include "engine/base/stretches.h"
#include "engine/capture/arguments.h"
#include "engine/capture/capture.h"
#include "engine/capture/capture_json.h"
#include "engine/capture/folder.h"
#include "engine/capture/kerncap.h"

namespace rpl {
namespace {

constexpr std::uint64_t kMostJsonBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostCodeBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostMemoryBytes = std::uint64_t{64} << 30;

class CaptureFolder {
 public:
  explicit CaptureFolder(FolderReader folder) : folder_(std::move(folder)) {}

  Result<Capture> read() {
    TRY(read_json());
    Capture& capture = documents_.capture;
    if (documents_.has_head) TRY(check_list());
    // kerncap takes the size from elsewhere for kernels of assemblers.
    capture.kernarg = TRY(capture.layout == CaptureLayout::kerncap
                              ? folder_.read("kernarg.bin", kMostKernargBytes)
                              : folder_.read_exactly("kernarg.bin", documents_.kernarg_bytes));
    capture.code_object = TRY(folder_.read("kernel.hsaco", kMostCodeBytes));
    TRY(check_hash("kernarg.bin", capture.kernarg));
    TRY(check_hash("kernel.hsaco", capture.code_object));
    if (documents_.has_following) TRY(read_following_kernargs());
    TRY(read_step_data());
    TRY(read_memory());
    TRY(complete_from_object());
    for (const HiddenPointer& pointer : dead_pointers(capture)) {
      capture.cautions.push_back(fmt::format(
          "the hidden argument {} pointed into the captured process; it is null in a replay",
          pointer.name));
    }
    if (!capture.facts.host_saw_by.empty()) {
      capture.cautions.push_back(
          fmt::format("after {} the host could read what dispatches before it had changed in "
                      "memory of its own: a "
                      "replay takes it that nothing was decided by that",
                      capture.facts.host_saw_by));
    }
    TRY(check_capture(capture));
    return std::move(capture);
  }

 private:
  Status read_json() {
    const auto dispatch = TRY(folder_.read("dispatch.json", kMostJsonBytes));
    const auto regions = TRY(folder_.read("memory_regions.json", kMostJsonBytes));
    std::vector<std::byte> head;
    if (folder_.has("capture.json")) {
      head = TRY(folder_.read("capture.json", kMostJsonBytes));
      if (head.empty()) return fail(Errc::corrupt, "capture.json is empty");
    }
    documents_ = TRY(read_documents(as_text(head), as_text(dispatch), as_text(regions)));
    Capture& capture = documents_.capture;
    // Only capture.json says that there is memory from after the dispatch.
    if (!documents_.has_head) {
      for (CapturedRegion& region : capture.regions) region.changed = false;
      capture.layout = folder_.has("metadata.json") ? CaptureLayout::kerncap : CaptureLayout::older;
    }
    for (const auto& file : documents_.files) {
      if (!listed_.emplace(file.path, &file).second) {
        return fail(Errc::corrupt, fmt::format("capture.json: '{}' is listed twice", file.path));
      }
    }
    TRY(check_hash("dispatch.json", dispatch));
    TRY(check_hash("memory_regions.json", regions));
    if (!documents_.has_following) return {};
    const auto following = TRY(folder_.read(kFollowingFile, kMostJsonBytes));
    TRY(check_hash(kFollowingFile, following));
    return read_following(as_text(following), documents_);
  }

  Status read_following_kernargs() {
    const auto& sizes = documents_.following_kernarg_bytes;
    const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    const auto bytes = TRY(folder_.read_exactly(kFollowingKernargFile, total));
    TRY(check_hash(kFollowingKernargFile, bytes));
    auto at = bytes.begin();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto end = at + static_cast<std::ptrdiff_t>(sizes[i]);
      documents_.capture.then[i].kernarg.assign(at, end);
      at = end;
    }
    return {};
  }

  Status read_step_data() {
    if (documents_.all_step_bytes == 0) return {};
    if (documents_.all_step_bytes > most_memory())
      return fail(Errc::limit, fmt::format("{}: more than {} of data", kFollowingFile,
                                           format_bytes(most_memory())));
    const auto bytes = TRY(folder_.read_exactly(kStepDataFile, documents_.all_step_bytes));
    TRY(check_hash(kStepDataFile, bytes));
    auto at = bytes.begin();
    auto size = documents_.step_bytes.begin();
    for (FollowingDispatch& dispatch : documents_.capture.then) {
      for (MemoryStep& step : dispatch.steps) {
        const auto end = at + static_cast<std::ptrdiff_t>(*size++);
        step.data.assign(at, end);
        at = end;
      }
    }
    return {};
  }

  /// The replay holds a second copy.
  static std::uint64_t most_memory() {
    return std::min(kMostMemoryBytes, physical_memory_bytes() / 2);
  }

  /// The names follow from the regions, so that the list cannot lead anywhere else.
  Status check_list() const {
    std::set<std::string> expected{"dispatch.json", "memory_regions.json", "kernarg.bin",
                                   "kernel.hsaco"};
    if (documents_.has_following) expected.insert({kFollowingFile, kFollowingKernargFile});
    if (documents_.all_step_bytes > 0) expected.insert(kStepDataFile);
    for (const CapturedRegion& region : documents_.capture.regions) {
      expected.insert(before_file(region));
      if (region.changed) expected.insert(after_file(region));
    }
    for (const auto& [path, file] : listed_) {
      if (!expected.contains(path)) {
        return fail(Errc::corrupt,
                    fmt::format("capture.json: '{}' is not a file of a capture", path));
      }
    }
    for (const auto& name : expected) {
      if (!listed_.contains(name)) {
        return fail(Errc::corrupt, fmt::format("capture.json: files lacks '{}'", name));
      }
    }
    return {};
  }

  static Result<std::string> hash_of(std::span<const std::byte> bytes) {
    constexpr std::size_t kStretch = std::size_t{8} << 20;
    Sha256 hash;
    TRY(interrupt::in_stretches(bytes.size(), kStretch,
                                [&](std::size_t begin, std::size_t end) -> Status {
                                  hash.add(bytes.subspan(begin, end - begin));
                                  return {};
                                }));
    return hash.hex();
  }

  Status check_hash(const std::string& name, std::span<const std::byte> bytes) const {
    if (!documents_.has_head) return {};
    const auto found = listed_.find(name);
    if (found == listed_.end()) {
      return fail(Errc::corrupt, fmt::format("capture.json: files lacks '{}'", name));
    }
    if (found->second->bytes != bytes.size()) {
      return fail(Errc::corrupt, fmt::format("{}: {} bytes, capture.json says {}", name,
                                             bytes.size(), found->second->bytes));
    }
    if (TRY(hash_of(bytes)) != found->second->sha256) {
      return fail(Errc::corrupt,
                  fmt::format("{}: its SHA-256 is not the one in capture.json", name),
                  "the file was changed after the capture");
    }
    return {};
  }

  Status read_memory() {
    const std::uint64_t most = most_memory();
    std::uint64_t total = documents_.all_step_bytes;
    for (CapturedRegion& region : documents_.capture.regions) {
      const std::uint64_t images = region.changed ? 2 : 1;
      if (region.size > most || (total += images * region.size) > most) {
        return fail(Errc::limit,
                    fmt::format("memory_regions.json: more than {} of memory", format_bytes(most)),
                    "a capture must fit twice in the memory of the machine");
      }
      region.before = TRY(folder_.read_exactly(before_file(region), region.size));
      TRY(check_hash(before_file(region), region.before));
      if (!region.changed) continue;
      region.after = TRY(folder_.read_exactly(after_file(region), region.size));
      TRY(check_hash(after_file(region), *region.after));
    }
    return {};
  }

  Status complete_from_object() {
    Capture& capture = documents_.capture;
    auto object = object_of(capture);
    if (!object) return Failure(std::move(object).error().in("kernel.hsaco"));
    const isa::Kernel* kernel = (*object)->kernel_exactly(capture.kernel);
    if (kernel == nullptr) return {};
    if (documents_.group_segment_bytes < kernel->lds_bytes) {
      return fail(Errc::corrupt,
                  fmt::format("dispatch.json: group_segment_size is {}, below the {} of the kernel",
                              documents_.group_segment_bytes, kernel->lds_bytes));
    }
    capture.dynamic_lds_bytes = documents_.group_segment_bytes - kernel->lds_bytes;
    if (documents_.has_head) {
      add_element_types(capture);
      return {};
    }
    std::ranges::sort(capture.regions, {}, &CapturedRegion::base);
    find_arguments(**object, capture);
    capture.cautions.emplace_back(
        "the folder has no hashes and no memory from after the dispatch: what was changed since is "
        "not noticed");
    return capture.layout == CaptureLayout::kerncap ? add_kerncap(**object) : Status();
    return {};
  }

  /// kerncap's variables, of the code object that the kernel is from.
  Status add_kerncap(const isa::CodeObject& object) {
    Capture& capture = documents_.capture;
    capture.cautions.emplace_back(
        "kerncap keeps memory as it is after the dispatch: a kernel that changes what it reads "
        "starts from other input than it had");
    const std::string hash =
        TRY(read_kerncap_code_hash(as_text(TRY(folder_.read("metadata.json", kMostJsonBytes)))));
    if (!hash.empty() && hash != object.hash())
      capture.cautions.emplace_back(
          "metadata.json has the hash of another code object than kernel.hsaco");
    if (!folder_.has("module_variables.json")) return {};
    const auto variables = TRY(read_kerncap_variables(
        as_text(TRY(folder_.read("module_variables.json", kMostJsonBytes)))));
    std::uint64_t loaded = 0;
    for (const auto& segment : object.elf().segments)
      loaded = std::max(loaded, segment.address + segment.memory_size);
    if (loaded > kMostCodeBytes)
      return fail(Errc::limit, "kernel.hsaco: larger than 1 GiB in memory");
    const std::uint64_t base = free_load_base(capture.regions, loaded);
    for (const KerncapVariable& variable : variables) {
      if (!hash.empty() && !variable.executable_sha256.empty() &&
          variable.executable_sha256 != hash)
        continue;
      const isa::Symbol* symbol = object.symbol(variable.name);
      if (symbol == nullptr) {
        capture.cautions.push_back(fmt::format(
            "module_variables.json: the code object has no variable '{}'", variable.name));
        continue;
      }
      auto before = TRY(folder_.read_exactly(variable.file, variable.size));
      CapturedRegion region{.base = base + symbol->address,
                            .size = variable.size,
                            .name = "variable " + variable.name,
                            .variable = variable.name,
                            .before = std::move(before),
                            .after = std::nullopt,
                            .kind = RegionKind::variable};
      capture.load_base = base;
      insert_region(std::move(region));
    }
    return {};
  }

  /// Regions ascend, and arguments name them by number.
  void insert_region(CapturedRegion region) {
    Capture& capture = documents_.capture;
    const auto place =
        std::ranges::upper_bound(capture.regions, region.base, {}, &CapturedRegion::base);
    const auto number = static_cast<std::size_t>(place - capture.regions.begin());
    for (CapturedArgument& argument : capture.arguments) {
      if (argument.buffer && argument.region >= number) ++argument.region;
    }
    capture.regions.insert(place, std::move(region));
  }

  FolderReader folder_;
  CaptureDocuments documents_;
  std::map<std::string, const CaptureFile*> listed_;
};

}  // namespace

Result<Capture> read_capture(const std::string& path) {
  auto folder = FolderReader::open(path);
  if (!folder) return std::move(folder).failure();
  auto capture = CaptureFolder(std::move(*folder)).read();
  if (capture) return capture;
  Error error = std::move(capture).error().in(path);
  if (error.code == Errc::corrupt && error.hint.empty())
    error.hint =
        "the capture is damaged or was changed: copy it again, or capture the dispatch again";
  return Failure(std::move(error));
}

bool is_capture(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path + "/dispatch.json", ignored) &&
         std::filesystem::is_regular_file(path + "/memory_regions.json", ignored);
}

}  // namespace rpl
