// SPDX-License-Identifier: MIT
#include "tests/golden/player.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "engine/process/run.h"
#include "tests/support/temp_dir.h"

namespace rpl::golden {
namespace {

namespace fs = std::filesystem;

std::string replaced(std::string text, const std::string& from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

class Player {
 public:
  Player(const Surroundings& surroundings, const testing_support::TempDir& scratch, bool own_cache)
      : surroundings_(surroundings),
        home_(fs::path(scratch.path()) / "home"),
        folder_(fs::path(scratch.path()) / "work"),
        cache_(own_cache || surroundings.cache.empty() ? home_ / ".cache" : surroundings.cache) {
    fs::create_directories(home_);
    fs::create_directories(folder_);
    std::string path;
    for (const fs::path& programs : surroundings.program_folders) path += programs.string() + ":";
    const char* inherited = std::getenv("PATH");
    path += inherited != nullptr ? inherited : "/usr/bin:/bin";
    env_ = {"PATH=" + path,
            "HOME=" + home_.string(),
            "XDG_RUNTIME_DIR=" + home_.string(),
            "TERM=dumb",
            "LC_ALL=C.UTF-8",
            "TZ=UTC",
            "COLUMNS=100",
            "PAGER=cat",
            "NO_COLOR=1",
            "XDG_CONFIG_HOME",
            "XDG_STATE_HOME",
            "XDG_DATA_HOME",
            cache_ == home_ / ".cache" ? "XDG_CACHE_HOME" : "XDG_CACHE_HOME=" + cache_.string(),
            "RPL_PAGER",
            "CLICOLOR_FORCE",
            "RPL_TARGET=emu",  // also on a machine with a GPU
            "RPL_HSA_RUNTIME=/nonexistent/libhsa-runtime64.so.1"};
  }

  Status set_up(const Fixture& fixture) {
    const fs::path path = folder_ / fixture.name;
    if (fixture.kind == Fixture::Kind::text) {
      std::ofstream(path) << fixture.recipe;
      return {};
    }
    if (fixture.kind == Fixture::Kind::generated) {
      const Spawn spawn = shell(fmt::format("rpl-generate {} {}", fixture.name, fixture.recipe));
      return check_exit(spawn, TRY(run(spawn)));
    }
    if (fixture.kind == Fixture::Kind::program) {
      for (const fs::path& folder : surroundings_.program_folders) {
        if (!fs::exists(folder / fixture.recipe)) continue;
        if (fixture.name.starts_with("RPL_"))
          env_.push_back(fixture.name + "=" + fs::absolute(folder / fixture.recipe).string());
        return {};
      }
      if (fs::exists(fixture.recipe)) return {};
      return fail(Errc::missing_capability, fmt::format("no {}", fixture.recipe),
                  "scripts/setup --full");
    }
    if (fixture.kind == Fixture::Kind::kept) {
      const fs::path kept = surroundings_.kept / fixture.recipe;
      if (!fs::exists(kept)) return fail(Errc::not_found, fmt::format("no {}", kept.string()));
      fs::copy(kept, path, fs::copy_options::recursive);
      return {};
    }
    const bool example = fixture.kind == Fixture::Kind::example;
    const fs::path real =
        (example ? surroundings_.examples : surroundings_.shared_data) / fixture.recipe;
    if (!fs::exists(real)) {
      if (example) return fail(Errc::not_found, fmt::format("no {}", real.string()));
      return fail(Errc::missing_capability, fmt::format("no {}", real.string()),
                  "set RPL_SHARED_DATA");
    }
    fs::create_symlink(fs::absolute(real), path);
    return {};
  }

  Result<Answer> ask(const Step& step) {
    constexpr std::string_view kRpl = "rpl --width 100 --no-color ";
    const bool ours = step.speaker == Speaker::command_line;
    const Exit exit = TRY(run(shell(std::string(ours ? kRpl : "") + step.command)));
    return Answer{clean(exit.out.text), clean(exit.err.text), exit.code};
  }

  /// Runs prompt commands in one session, for a person who says yes where one at a terminal is asked. A host command after each marks where its output ends on both streams.
  Status converse(std::span<Step> steps) {
    std::string script;
    for (const Step& step : steps) {
      script += step.command + "\n!printf '\\001\\n'; printf '\\001\\n' >&2\n";
    }
    Spawn spawn = shell("exec rpl --width 100 --no-color -q -nx --allow approve");
    spawn.stdin_text = std::move(script);
    const Exit exit = TRY(run(spawn));
    std::string_view out = exit.out.text;
    std::string_view err = exit.err.text;
    for (Step& step : steps) {
      step.answer = {clean(next_part(out)), clean(next_part(err)), 0};
    }
    // What comes after the last mark belongs to the end of the session.
    steps.back().answer.out += clean(std::string(out));
    steps.back().answer.err += clean(std::string(err));
    steps.back().answer.status = exit.code;
    return {};
  }

 private:
  [[nodiscard]] Spawn shell(std::string command) const {
    using namespace std::chrono_literals;
    return {.argv = {"sh", "-c", std::move(command)}, .env = env_, .cwd = folder_, .timeout = 600s};
  }

  /// The scratch folder has another name each time, and the cache may be anywhere.
  [[nodiscard]] std::string clean(std::string text) const {
    text = replaced(std::move(text), cache_.string(), "HOME/.cache");
    return replaced(replaced(std::move(text), folder_.string(), "DIR"), home_.string(), "HOME");
  }

  static std::string next_part(std::string_view& stream) {
    constexpr std::string_view kMark = "\001\n";
    const std::size_t end = stream.find(kMark);
    const std::string part(stream.substr(0, end));
    stream.remove_prefix(end == std::string_view::npos ? stream.size() : end + kMark.size());
    return part;
  }

  const Surroundings& surroundings_;
  fs::path home_;
  fs::path folder_;
  fs::path cache_;
  std::vector<std::string> env_;
};

}  // namespace

Result<Transcript> play(const Transcript& transcript, const Surroundings& surroundings) {
  const testing_support::TempDir scratch;
  const bool own_cache = std::ranges::any_of(transcript.steps, [](const Step& step) {
    return std::ranges::find(step.comments, "# own cache") != step.comments.end();
  });
  Player player(surroundings, scratch, own_cache);
  for (const Fixture& fixture : TRY(fixtures(transcript))) TRY(player.set_up(fixture));

  Transcript result = transcript;
  for (std::size_t i = 0; i < result.steps.size();) {
    std::size_t end = i + 1;
    if (result.steps[i].speaker == Speaker::prompt) {
      // A comment starts a new session.
      while (end < result.steps.size() && result.steps[end].speaker == Speaker::prompt &&
             result.steps[end].comments.empty()) {
        ++end;
      }
      TRY(player.converse(std::span(result.steps).subspan(i, end - i)));
    } else {
      result.steps[i].answer = TRY(player.ask(result.steps[i]));
    }
    i = end;
  }
  return result;
}

}  // namespace rpl::golden
