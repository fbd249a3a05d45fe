// SPDX-License-Identifier: MIT
#include "tests/fuzz/damage_kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>

#include "engine/base/policy.h"
#include "engine/base/sha256.h"
#include "engine/capture/capture.h"
#include "engine/capture/pack.h"
#include "engine/capture/zstd_stream.h"
#include "engine/optimize/evidence/bundle.h"
#include "engine/store/session.h"
#include "tests/support/answers.h"
#include "tests/support/broken_structure.h"
#include "tests/support/damaged_database.h"
#include "tests/support/generate.h"
#include "tests/support/temp_dir.h"

// The fuzzers themselves, each compiled under a name of its own.
extern "C" {
int rpl_fuzz_att(const std::uint8_t* data, std::size_t size);
int rpl_fuzz_capture(const std::uint8_t* data, std::size_t size);
int rpl_fuzz_evidence(const std::uint8_t* data, std::size_t size);
int rpl_fuzz_kineto(const std::uint8_t* data, std::size_t size);
int rpl_fuzz_request(const std::uint8_t* data, std::size_t size);
int rpl_fuzz_session(const std::uint8_t* data, std::size_t size);
}

namespace rpl::test {
namespace {

namespace fs = std::filesystem;
using testing_support::TempDir;
using Fuzzer = int (*)(const std::uint8_t*, std::size_t);

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> seeds_of(const char* fuzzer) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(std::string(RPL_FUZZ_SEEDS "/") + fuzzer))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> out;
  for (const fs::path& path : paths) out.push_back(read_file(path));
  return out;
}

void run(Fuzzer fuzzer, const std::string& bytes) {
  fuzzer(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

/// A kind that is one string of bytes, which a fuzzer reads: known inputs with one thing broken.
class OfSeeds : public DamagedKind {
 public:
  OfSeeds(Fuzzer fuzzer, std::vector<std::string> seeds)
      : fuzzer_(fuzzer), seeds_(std::move(seeds)) {}

  bool damage(Random& random, std::string& what) override {
    seed_ = random.below(seeds_.size());
    bytes_ = broken_structure(seeds_[seed_], random, what);
    return !what.empty() && bytes_ != seeds_[seed_];
  }
  Outcome read() override {
    run(fuzzer_, bytes_);
    return Outcome::untold;
  }

 protected:
  [[nodiscard]] const std::string& good() const { return seeds_[seed_]; }
  [[nodiscard]] std::size_t seed() const { return seed_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  Fuzzer fuzzer_;
  std::vector<std::string> seeds_;
  std::size_t seed_ = 0;
  std::string bytes_;
};

/// Pages of recordings: three questions, each answered as before, with a word, or not at all.
class Recordings : public DamagedKind {
 public:
  explicit Recordings(bool api) {
    GenerateOptions options;
    options.path = folder_ / "good.db";
    options.workload.dispatches = api ? 2000 : 5000;
    options.api = options.markers = api;
    options.counters = api ? 2 : 0;
    if (!generate_rocpd(options)) std::abort();
    bytes_ = folder_.read("good.db");
    good_ = answers_of(options.path);
  }

  bool damage(Random& random, std::string& what) override {
    std::vector<const DatabaseDamage*> structural;
    for (const DatabaseDamage& one : database_damages())
      if (one.structural) structural.push_back(&one);
    const DatabaseDamage& damage = *structural[random.below(structural.size())];
    const char* const tables[] = {"rocpd_kernel_dispatch", "rocpd_event", "rocpd_info_",
                                  "rocpd_string"};
    const char* const table = tables[random.below(std::size(tables))];
    what = fmt::format("{} of {}", damage.name, table);
    PagesOf pages(bytes_);
    if (!damage.apply(pages, table, random)) return false;
    what += ", pages" + changed_pages(pages);
    path_ = folder_.write("damaged.db", pages.bytes());
    return pages.bytes() != bytes_;
  }

  Outcome read() override {
    const Answers answers = answers_of(path_);
    Outcome worst = Outcome::same;
    for (std::size_t i = 0; i < Answers::kQuestions.size(); ++i) {
      const Verdict verdict = compare(good_, answers, i);
      if (verdict == Verdict::silent) {
        if (const char* folder = std::getenv("DAMAGE_KEEP"))
          fs::copy(path_, folder, fs::copy_options::overwrite_existing);
        return Outcome::silent;
      }
      if (verdict == Verdict::refused) worst = Outcome::refused;
      if (verdict == Verdict::said && worst == Outcome::same) worst = Outcome::said;
    }
    return worst;
  }

 private:
  /// Their numbers, for who looks for the table.
  [[nodiscard]] std::string changed_pages(const PagesOf& now) const {
    const std::size_t page = now.page_bytes();
    std::string out;
    for (std::size_t i = 0; i < now.pages(); ++i)
      if (bytes_.compare(i * page, page, now.bytes(), i * page, page) != 0)
        out += fmt::format(" {}", i + 1);
    return out;
  }

  TempDir folder_;
  std::string bytes_, path_;
  Answers good_;
};

/// Everything of a capture that a replay takes from it, and what a reader of it is told.
struct Told {
  std::string what, cautions;
};

std::string bytes_of(const std::vector<std::byte>& bytes) {
  return sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Told told(const std::string& folder) {
  const auto capture = read_capture(folder);
  if (!capture) return {};
  Told out{fmt::format("{} {} {} {} {}", capture->kernel, capture->regions.size(),
                       capture->scratch_bytes, bytes_of(capture->kernarg),
                       bytes_of(capture->code_object)),
           fmt::format("{}", fmt::join(capture->cautions, "\n"))};
  for (const CapturedRegion& region : capture->regions)
    out.what += fmt::format("\n{:x} {} {} {}", region.base, region.size, bytes_of(region.before),
                            region.after ? bytes_of(*region.after) : "");
  return out;
}

Outcome judged(const Told& good, const Told& now) {
  if (now.what.empty()) return Outcome::refused;
  if (now.cautions != good.cautions) return Outcome::said;
  return now.what == good.what ? Outcome::same : Outcome::silent;
}

/// A capture's folder, one of whose files is broken: JSON, the dispatch's memory, its code.
class CaptureFolders : public DamagedKind {
 public:
  CaptureFolders() {
    if (!unpack_capture(RPL_EXAMPLE_CAPTURE, folder_ / "good")) std::abort();
    good_ = told(folder_ / "good");
    if (good_.what.empty()) std::abort();
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "good"))
      if (entry.is_regular_file())
        files_.push_back(fs::relative(entry.path(), folder_ / "good").string());
    std::ranges::sort(files_);
  }

  bool damage(Random& random, std::string& what) override {
    const std::string& file = files_[random.below(files_.size())];
    std::string bytes = folder_.read("good/" + file);
    const std::string before = bytes;
    if (file.ends_with(".json")) {
      bytes = broken_structure(bytes, random, what);
    } else {
      bytes[random.below(bytes.size())] ^= static_cast<char>(1 + random.below(255));
    }
    what = file + ": " + (what.empty() ? "a byte" : what);
    if (bytes == before) return false;
    // fs::copy would keep what the damage before left behind.
    fs::remove_all(folder_ / "damaged");
    fs::copy(folder_ / "good", folder_ / "damaged", fs::copy_options::recursive);
    folder_.write("damaged/" + file, bytes);
    fuzzed_ = file.ends_with(".json") ? bytes : std::string();
    return true;
  }

  Outcome read() override {
    if (!fuzzed_.empty()) run(rpl_fuzz_capture, fuzzed_);
    return judged(good_, told(folder_ / "damaged"));
  }

 private:
  TempDir folder_;
  Told good_;
  std::string fuzzed_;
  std::vector<std::string> files_;
};

/// A capture as an archive: a header of it broken, with its checksum made right again.
class CaptureArchives : public DamagedKind {
 public:
  CaptureArchives() {
    if (!unpack_capture(RPL_EXAMPLE_CAPTURE, folder_ / "good")) std::abort();
    good_ = told(folder_ / "good");
    auto reader = ZstdReader::open(RPL_EXAMPLE_CAPTURE);
    std::string block(kTarBlock, '\0');
    while (reader && reader->read(std::as_writable_bytes(std::span(block)))) tar_ += block;
    if (tar_.empty()) std::abort();
  }

  bool damage(Random& random, std::string& what) override {
    const std::string broken = broken_structure(tar_, random, what);
    if (broken == tar_) return false;
    std::error_code ignored;
    fs::remove(folder_ / "damaged.tar.zst", ignored);
    auto out = ZstdWriter::create(folder_ / "damaged.tar.zst");
    return out && out->write(std::as_bytes(std::span(broken))) && out->finish();
  }

  Outcome read() override {
    fs::remove_all(folder_ / "unpacked");
    if (!unpack_capture(folder_ / "damaged.tar.zst", folder_ / "unpacked"))
      return fs::exists(folder_ / "unpacked") ? Outcome::silent : Outcome::refused;
    return judged(good_, told(folder_ / "unpacked"));
  }

 private:
  TempDir folder_;
  std::string tar_;
  Told good_;
};

/// Sealed evidence as an archive: whole though a file of it is another one.
class Evidence : public OfSeeds {
 public:
  Evidence() : OfSeeds(rpl_fuzz_evidence, archives()) { good_ = files_of(good()); }

  Outcome read() override {
    OfSeeds::read();
    const auto files = files_of(bytes());
    if (files.empty()) return Outcome::refused;
    if (!audit(files).intact) return Outcome::said;
    return files == good_ ? Outcome::same : Outcome::silent;
  }

 private:
  static std::vector<std::string> archives() {
    std::vector<std::string> out;
    for (std::string& one : seeds_of("evidence_fuzzer"))
      if (one.size() > kTarBlock && one.compare(257, 5, "ustar") == 0)
        out.push_back(std::move(one));
    return out;
  }
  EvidenceFiles files_of(const std::string& tar) {
    const std::string path = folder_ / "evidence.tar.zst";
    std::error_code ignored;
    fs::remove(path, ignored);
    auto out = ZstdWriter::create(path);
    if (!out || !out->write(std::as_bytes(std::span(tar))) || !out->finish()) std::abort();
    return read_evidence(path).value_or(EvidenceFiles());
  }

  TempDir folder_;
  EvidenceFiles good_;
};

/// What a session kept: an event more or less than there was, without a word.
class Sessions : public OfSeeds {
 public:
  // The fuzzer holds this process to its project.
  Sessions() : OfSeeds(rpl_fuzz_session, seeds_of("session_fuzzer")) { own_folder(folder_.path()); }

  Outcome read() override {
    OfSeeds::read();
    const std::int64_t before = events_of(good()), now = events_of(bytes());
    if (now < 0) return Outcome::refused;
    return now == before ? Outcome::same : Outcome::silent;
  }

 private:
  /// -1: the session is refused or says that something is missing.
  std::int64_t events_of(const std::string& database) {
    fs::remove_all(folder_ / "s");
    folder_.write("s/session.db", database);
    const auto session = Session::look_at(folder_ / "s");
    if (!session) return -1;
    const auto facts = (*session)->facts();
    if (!facts || facts->missing > 0) return -1;
    std::int64_t events = 0;
    const auto all = (*session)->each_event([&](const SessionEvent&) { return ++events > 0; });
    return all ? events : -1;
  }

  TempDir folder_;
};

template <class Kind, class... Args>
std::function<std::unique_ptr<DamagedKind>()> of(Args... args) {
  return [=] { return std::make_unique<Kind>(args...); };
}

std::function<std::unique_ptr<DamagedKind>()> of_seeds(Fuzzer fuzzer, const char* seeds) {
  return [=] { return std::make_unique<OfSeeds>(fuzzer, seeds_of(seeds)); };
}

}  // namespace

const std::vector<KindOfFile>& kinds_of_files() {
  static const std::vector<KindOfFile> kKinds{
      {"rocpd, kernels", "summary, kernels or critical path", of<Recordings>(false)},
      {"rocpd, with API calls", "summary, kernels or critical path", of<Recordings>(true)},
      {"thread trace (JSON)", "", of_seeds(rpl_fuzz_att, "att_fuzzer")},
      {"Kineto (JSON)", "", of_seeds(rpl_fuzz_kineto, "kineto_fuzzer")},
      {"capture, folder", "kernel, arguments or memory", of<CaptureFolders>()},
      {"capture, archive", "kernel, arguments or memory", of<CaptureArchives>()},
      {"evidence", "a file of it", of<Evidence>()},
      {"session", "number of events", of<Sessions>()},
      {"requests", "", of_seeds(rpl_fuzz_request, "request_fuzzer")}};
  return kKinds;
}

}  // namespace rpl::test
