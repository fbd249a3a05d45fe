// SPDX-License-Identifier: MIT
#include "engine/arch/catalogue.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "gpus.h"

namespace rpl::arch {
namespace {

TEST(Catalogue, HasWhatIsPromised) {
  for (const char* name :
       {"gfx906",  "gfx908", "gfx90a", "gfx942",     "gfx950", "gfx1030", "gfx1100",
        "gfx1201", "MI50",   "MI60",   "Radeon VII", "MI100",  "MI210",   "MI250X",
        "MI300X",  "MI300A", "MI325X", "MI308X",     "MI350X", "MI355X"}) {
    EXPECT_TRUE(Catalogue::builtin().named(name)) << name;
  }
  EXPECT_EQ(Catalogue::builtin().named("mi300x")->arch, "gfx942");
  EXPECT_EQ(Catalogue::builtin().named("gfx942 MI308X")->product, "MI308X");
  EXPECT_EQ(Catalogue::builtin().named("gfx942")->product, "");
  const auto unknown = Catalogue::builtin().named("MI999");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Errc::not_found);
}

TEST(Catalogue, EveryProductHasWhatOccupancyAndPeaksNeed) {
  for (const Identity& identity : Catalogue::builtin().all()) {
    ASSERT_NE(identity.product, "") << identity.arch << " has no product";
    const Gpu gpu = gpu_named(identity.product);
    for (const char* key :
         {"compute_units", "xcds", "clock_mhz", "simds_per_cu", "wave_size", "waves_per_simd",
          "max_workgroup_size", "workgroups_per_cu", "vgprs.wave64", "vgpr_granule.wave64",
          "vgpr_max.wave64", "lds_bytes", "lds_workgroup_bytes", "lds_granule", "bandwidth.hbm",
          "bandwidth.lds", "flops.vector.f32", "memory_bytes"}) {
      EXPECT_TRUE(gpu.number(key)) << gpu.title() << " " << key;
    }
    EXPECT_NE(gpu.text("vgpr_count"), "") << gpu.title();
    for (const Fact* fact : gpu.facts()) EXPECT_NE(fact->source, "") << fact->key;
  }
}

TEST(Catalogue, RecognisesRecordedNames) {
  const Catalogue& files = Catalogue::builtin();
  EXPECT_EQ(files.recognise("gfx90a", "AMD Instinct MI250X", {}).product, "MI250X");
  EXPECT_EQ(files.recognise("gfx90a", "AMD Instinct MI250", {}).product, "MI250");
  EXPECT_EQ(files.recognise("gfx942", "AMD Instinct MI300X VF", {}).product, "MI300X");
  EXPECT_EQ(files.recognise("gfx942", "", 29861).product, "MI325X");
  EXPECT_EQ(files.recognise("gfx942", "ip discovery", {}).product, "");
  EXPECT_EQ(files.recognise("gfx908", "ip discovery", {}).product, "MI100") << "the only one";
  EXPECT_EQ(files.recognise("gfx1151", "Strix", {}).product, "");
}

TEST(Catalogue, UserFilesChangeAndAdd) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "rpl_arch_files";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "mine.arch") << "arch = gfx942\nlds_granule = 1024\n[MI300Q]\nmatch = Q\n"
                                         "compute_units = 20\n";
  std::ofstream(folder / "ignored.txt") << "no architecture";
  const auto files = Catalogue::with_user_files(folder.string(), "");
  ASSERT_TRUE(files) << files.error().message;
  const auto gpu = resolve(*files, "MI300Q", {});
  ASSERT_TRUE(gpu);
  EXPECT_EQ(gpu->number("compute_units"), 20);
  EXPECT_EQ(gpu->number("lds_granule"), 1024);
  EXPECT_EQ(gpu->find("lds_granule")->origin, Origin::user);
  EXPECT_EQ(gpu->number("lds_bytes"), 65536) << "the rest is the file's";
  EXPECT_TRUE(Catalogue::with_user_files((folder / "none").string(), ""));
  EXPECT_FALSE(Catalogue::with_user_files("", (folder / "none.arch").string()));
  std::filesystem::remove_all(folder);
}

TEST(Catalogue, TheGuideListsEveryKey) {
  std::ifstream file(std::string(RPL_SOURCE_DIR) + "/docs/architectures.md");
  const std::string guide{std::istreambuf_iterator<char>(file), {}};
  for (const Key& key : keys()) {
    const std::string unit(key.unit.empty() && key.is_text ? "text" : key.unit);
    const std::string row =
        "| `" + std::string(key.name) + "` | " + unit + " | " + std::string(key.description) + " |";
    EXPECT_NE(guide.find(row), std::string::npos) << "missing: " << row;
  }
}

}  // namespace
}  // namespace rpl::arch
