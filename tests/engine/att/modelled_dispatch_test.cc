// SPDX-License-Identifier: MIT
#include "engine/att/read/modelled_dispatch.h"

#include <gtest/gtest.h>

#include <fstream>

#include "engine/att/read/thread_trace.h"
#include "engine/device/record/write_trace.h"
#include "tests/support/temp_dir.h"

namespace rpl::att {
namespace {

ModelledDispatch made() {
  ModelledDispatch out;
  out.model = "rpl-cycle/0.5 MI300X";
  out.gpu = "MI300X";
  out.architecture = "gfx942";
  out.kernel = "name with \"quotes\"";
  out.grid = {4096, 2, 1};
  out.workgroup = {64, 2, 1};
  out.vgprs = 24;
  out.sgprs = 16;
  out.lds_bytes = 512;
  out.cycles = 21'000;
  out.time_ns = 10'000.5;
  out.vector_instructions = 10;
  out.active_lanes = 600;
  out.operations = {{"matrix f16", 65'536}, {"vector f32", 7}};
  out.hbm_bytes = 1;
  out.l2_bytes = 2;
  out.vl1d_bytes = 3;
  out.lds_moved_bytes = 4;
  out.lds_conflicts = 5;
  out.vector_busy_cycles = 6;
  out.matrix_busy_cycles = 7;
  out.wave_cycles = 8;
  out.wait_cycles = 9;
  return out;
}

class DispatchFile : public testing::Test {
 protected:
  Result<ModelledDispatch> read(const std::string& text) {
    const std::string path = folder_.path() + "/dispatch.json";
    std::ofstream(path, std::ios::binary) << text;
    return read_modelled_dispatch(path);
  }
  /// The document with one piece replaced, which must be there.
  Result<ModelledDispatch> changed(const std::string& piece, const std::string& other) {
    std::string text = to_json(made());
    const std::size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece << " in " << text;
    if (at != std::string::npos) text.replace(at, piece.size(), other);
    return read(text);
  }

  testing_support::TempDir folder_;
};

TEST_F(DispatchFile, IsReadAsItWasWritten) {
  const auto back = read(to_json(made()));
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(to_json(*back), to_json(made()));
  EXPECT_EQ(back->kernel, made().kernel);
  EXPECT_EQ(back->operations, made().operations);
  EXPECT_DOUBLE_EQ(back->time_ns, 10'000.5);
}

TEST_F(DispatchFile, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(changed("dispatch/1", "dispatch/2").error().code, Errc::unsupported);
  EXPECT_EQ(read("[]").error().code, Errc::unsupported);
  EXPECT_EQ(read("{").error().code, Errc::corrupt);
  EXPECT_EQ(read_modelled_dispatch("/nowhere/x.json").error().code, Errc::not_found);
  EXPECT_EQ(read(to_json(made()) + std::string(1U << 20, ' ')).error().code, Errc::limit);
}

TEST_F(DispatchFile, NamesWhatIsNotAsItShouldBe) {
  const auto blames = [&](const char* piece, const char* other, const char* field) {
    const auto back = changed(piece, other);
    ASSERT_FALSE(back.has_value()) << other;
    EXPECT_EQ(back.error().code, Errc::corrupt);
    EXPECT_NE(back.error().message.find(field), std::string::npos) << back.error().message;
  };
  blames("\"gpu\":\"MI300X\"", "\"gpu\":3", "'gpu'");
  blames("[4096,2,1]", "[4096,2]", "'grid'");
  blames("[64,2,1]", "[64,0,1]", "'workgroup'");
  blames("\"vgprs\":24", "\"vgprs\":-1", "'vgprs'");
  blames("\"vgprs\":24", "\"vgprs\":4294967296", "'vgprs'");
  blames("\"wave_cycles\":8", "\"wave_cycles\":1e300", "'wave_cycles'");
  blames("\"hbm_bytes\":1", "\"hbm_bites\":1", "'hbm_bytes'");
  blames("\"time_ps\":10000500", "\"time_ps\":0", "'time_ps'");
  blames("\"vector f32\":7", "\"vector f32\":0.5", "'operations'");
  blames("\"exact\":{", "\"exact\":3,\"others\":{", "'exact'");
  blames("\"modelled\":{", "\"others\":{", "'modelled'");
}

class Folder : public DispatchFile {
 protected:
  /// The decoded folder of an empty trace.
  std::string write(const std::string& model) {
    WrittenTrace trace;
    trace.kernel = "k";
    trace.gfx = "gfx942";
    trace.model = model;
    trace.clock_mhz = 2100;
    trace.code = {{.text = "s_endpgm", .source = source_, .address = 256}};
    trace.dispatch = made();
    const auto path = write_trace(folder_.path(), trace);
    EXPECT_TRUE(path.has_value());
    return path.value_or("");
  }
  std::string source_;  ///< of its instruction
};

TEST_F(Folder, HasCopiesOfTheSourcesThatAreThere) {
  const std::string kernel = folder_.write("src of it/k.hip", "line 1\n"),
                    header = folder_.write("src of it/\"h\".h", "line a\n");
  source_ = header + ":1 -> " + kernel + ":1 -> /nowhere/main.hip:3 -> relative.hip:4";
  const auto trace = open_trace(write("rpl-cycle/0.5 MI300X"));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_EQ((*trace)->snapshots.size(), 2U);
  // As they were: what the user writes later is not part of it.
  folder_.write("src of it/k.hip", "other\n");
  EXPECT_EQ((*trace)->source_text(kernel).value_or(""), "line 1\n");
  EXPECT_EQ((*trace)->source_text(header).value_or(""), "line a\n");
  EXPECT_FALSE((*trace)->source_text("/nowhere/main.hip").has_value());
}

TEST_F(Folder, OfAModelledTraceHasIt) {
  const auto trace = open_trace(write("rpl-cycle/0.5 MI300X"));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  ASSERT_TRUE((*trace)->modelled.has_value());
  EXPECT_EQ((*trace)->modelled->gpu, "MI300X");
}

TEST_F(Folder, OfARecordedTraceIsNotBelieved) {
  const auto trace = open_trace(write(""));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_FALSE((*trace)->modelled.has_value());
}

TEST_F(Folder, IsReadWithoutADamagedOne) {
  const std::string path = write("rpl-cycle/0.5 MI300X");
  std::ofstream(path + "/" + std::string(kModelledDispatchFile)) << "{}";
  const auto trace = open_trace(path);
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_FALSE((*trace)->modelled.has_value());
  EXPECT_NE((*trace)->notes.back().find("modelled_dispatch.json"), std::string::npos);
}

}  // namespace
}  // namespace rpl::att
