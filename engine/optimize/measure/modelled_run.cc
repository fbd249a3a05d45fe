// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/modelled_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/files.h"
#include "engine/base/sha256.h"

namespace rpl {

Status has_modelled_time(const emu::Executed& executed, const Target& target) {
  if (executed.modelled) return {};
  return fail(Errc::missing_capability,
              fmt::format("target {} gives no time", to_string(target.kind())), "set target emu");
}

Result<std::shared_ptr<const ModelledRun>> ModelledRuns::run(Target& target, const Capture& capture,
                                                             const std::string& folder,
                                                             const std::string& object,
                                                             const LaunchPlan& launch,
                                                             const FusionPlan& fusion) {
  constexpr std::size_t kMostKept = 3;
  const std::string code = sha256_hex(TRY(read_text_file(object)));
  {
    const std::lock_guard lock(*mutex_);
    const auto known = std::ranges::find_if(kept_, [&](const Kept& kept) {
      return kept.folder == folder && kept.code == code && kept.launch == launch &&
             kept.fusion == fusion;
    });
    if (known != kept_.end()) return known->run;
  }
  auto opened = TRY(isa::CodeObject::open(object));
  ReplayRun run = TRY(run_once(target, {.capture = &capture,
                                        .object = std::move(opened),
                                        .launch = launch,
                                        .fusion = fusion,
                                        .execute = {.mode = emu::Mode::modelled}}));
  TRY(has_modelled_time(run.executed, target));
  auto made = std::make_shared<const ModelledRun>(
      ModelledRun{std::move(run.executed), std::move(run.memory)});
  const std::lock_guard lock(*mutex_);
  if (kept_.size() == kMostKept) kept_.pop_front();
  kept_.push_back({folder, code, launch, fusion, made});
  return made;
}

}  // namespace rpl
