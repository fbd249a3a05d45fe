// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/job.h"

#include "engine/document/records.h"

namespace rpl {
namespace {

constexpr auto kRange =
    bound_to<PageRange>(column<&PageRange::base>("base"), column<&PageRange::bytes>("bytes"));
constexpr auto kConflict = bound_to<PlaceConflict>(
    column<&PlaceConflict::base>("base"), column<&PlaceConflict::bytes>("bytes"),
    column<&PlaceConflict::got>("got"), column<&PlaceConflict::in_the_way>("in_the_way"));
constexpr auto kDifference =
    bound_to<ImageDifference>(column<&ImageDifference::region>("region"),
                              column<&ImageDifference::first_offset>("first_offset"),
                              column<&ImageDifference::differing_bytes>("differing_bytes"));
constexpr auto kError =
    bound_to<Error>(converted<&Error::code, [](Errc code) { return to_string(code); },
                              [](const std::string& name, Errc& code) -> const char* {
                                code = errc_from_string(name);
                                return nullptr;
                              }>("code"),
                    column<&Error::message>("message"), column<&Error::hint>("hint"));
constexpr auto kDevice = bound_to<DeviceRun>(
    column<&DeviceRun::agent>("agent"), column<&DeviceRun::product>("product"),
    column<&DeviceRun::runtime_version>("runtime_version"),
    column<&DeviceRun::rocm_version>("rocm_version"), column<&DeviceRun::pid>("pid"),
    column<&DeviceRun::ticks_per_s>("ticks_per_s"),
    column<&DeviceRun::kernarg_placement>("kernarg_placement"),
    column<&DeviceRun::load_base>("load_base"), column<&DeviceRun::placements>("placements"),
    column<&DeviceRun::restored_bytes>("restored_bytes"), column<&DeviceRun::setup_ns>("setup_ns"),
    column<&DeviceRun::restore_ns>("restore_ns"), column<&DeviceRun::host_ns>("host_ns"));

}  // namespace

Columns<PageRange> bound(const PageRange*) { return kRange; }
Columns<PlaceConflict> bound(const PlaceConflict*) { return kConflict; }
Columns<ImageDifference> bound(const ImageDifference*) { return kDifference; }
Columns<Error> bound(const Error*) { return kError; }
Columns<DeviceRun> bound(const DeviceRun*) { return kDevice; }

namespace {

constexpr auto kJob = bound_to<ReplayJobFile>(
    column<&ReplayJobFile::capture>("capture"), column<&ReplayJobFile::variant>("variant"),
    column<&ReplayJobFile::other>("other"), column<&ReplayJobFile::sides>("sides"),
    column<&ReplayJobFile::kernel>("kernel"), column<&ReplayJobFile::launch>("launch"),
    column<&ReplayJobFile::other_launch>("other_launch"),
    column<&ReplayJobFile::iterations>("iterations"), column<&ReplayJobFile::warmup>("warmup"),
    column<&ReplayJobFile::timeout_ms>("timeout_ms"), column<&ReplayJobFile::recopy>("recopy"),
    column<&ReplayJobFile::cold>("cold"), column<&ReplayJobFile::reserve_only>("reserve_only"),
    column<&ReplayJobFile::host_regions>("host_regions"), column<&ReplayJobFile::ranges>("ranges"));

constexpr auto kImage = bound_to<ImageComparison>(
    converted<&ImageComparison::match, [](ImageMatch match) { return to_string(match); },
              [](const std::string& name, ImageMatch& match) {
                for (const ImageMatch each :
                     {ImageMatch::matched, ImageMatch::differs, ImageMatch::not_captured}) {
                  if (name == to_string(each)) match = each;
                }
                return name == to_string(match) ? nullptr : "how images compare";
              }>("image"),
    column<&ImageComparison::differences>("differences"));

constexpr auto kResult = bound_to<ReplayResultFile>(
    column<&ReplayResultFile::error>("error"), column<&ReplayResultFile::conflicts>("conflicts"),
    column<&ReplayResultFile::randomized>("randomized"),
    column<&ReplayResultFile::series, &ReplaySeries::kernel>("kernel"),
    column<&ReplayResultFile::series, &ReplaySeries::raw_ns>("raw_ns"),
    through<kImage, &ReplayResultFile::series, &ReplaySeries::image>(),
    column<&ReplayResultFile::differing>("differing"),
    column<&ReplayResultFile::other_differing>("other_differing"),
    column<&ReplayResultFile::series, &ReplaySeries::last_equals_first>("last_equals_first"),
    column<&ReplayResultFile::series, &ReplaySeries::notes>("notes"),
    column<&ReplayResultFile::series, &ReplaySeries::device>("device"));

}  // namespace

Columns<ReplayJobFile> bound(const ReplayJobFile*) { return kJob; }
Columns<ReplayResultFile> bound(const ReplayResultFile*) { return kResult; }

std::string memory_file(std::size_t region) { return fmt::format("region_{}.bin", region); }
std::string other_memory_file(std::size_t region) {
  return fmt::format("other_region_{}.bin", region);
}

Result<ReplayJobFile> job_from(const Value& value) { return from_value(kJob, value, kJobFile); }

Result<ReplayResultFile> result_from(const Value& value) {
  ReplayResultFile out = TRY(from_value(kResult, value, kResultFile));
  out.series.time_source = "measured";
  return out;
}

}  // namespace rpl
