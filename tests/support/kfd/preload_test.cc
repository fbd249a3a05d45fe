// SPDX-License-Identifier: MIT
// The library in a process of its own, without any of AMD's: what the C library's functions give there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/process/run.h"

namespace rpl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Exit probe(std::vector<std::string> arguments, std::vector<std::string> environment) {
  arguments.insert(arguments.begin(), RPL_PROBE);
  auto exit = run({.argv = std::move(arguments),
                   .env = std::move(environment),
                   .timeout = std::chrono::seconds(60)});
  if (exit) return *exit;
  ADD_FAILURE() << exit.error().message;
  return {};
}

TEST(Preload, AProcessSeesTheDriver) {
  const Exit exit = probe({}, {"LD_PRELOAD=" RPL_KFD});
  EXPECT_EQ(exit.code, 0) << exit.err.text;
  EXPECT_EQ(exit.out.text,
            "/dev/kfd: device\n"
            "/dev/dri/renderD128: device\n"
            "/dev/dri/renderD129: No such file or directory\n"
            "/sys/devices/virtual/kfd/kfd/topology/nodes: folder\n"
            "/dev/null: device\n"
            "nodes: . .. 0 1 \n"
            "/dev/dri: . .. renderD128 \n"
            "nodes by a descriptor: . .. 0 1 \n"
            "gpu_id by a stream: there\n"
            "descriptor: device\n"
            "version: 1\n"
            "version of a duplicate: 1\n"
            "version of stderr: Inappropriate ioctl for device\n"
            "in a child: Bad file descriptor, 1\n"
            "END\n");
  EXPECT_EQ(exit.err.text, "");
}

TEST(Preload, AnUnknownDeviceIsNoDevice) {
  const Exit exit = probe({}, {"LD_PRELOAD=" RPL_KFD, "RPL_EMU_GPU=gfx1"});
  EXPECT_THAT(exit.err.text,
              AllOf(HasSubstr("rpl: emulated driver: RPL_EMU_GPU: "), HasSubstr("gfx1")));
  EXPECT_THAT(exit.out.text, Not(HasSubstr("version: 1\n")));
  EXPECT_THAT(exit.out.text, HasSubstr("END\n"));
}

TEST(Preload, AHostileProgramHurtsNothing) {
  for (const char* seed : {"1", "2", "3"}) {
    const Exit exit = probe({"hostile", seed}, {"LD_PRELOAD=" RPL_KFD});
    EXPECT_EQ(exit.code, 0) << seed << exit.err.text;
    EXPECT_EQ(exit.out.text, "version: 1\nEND\n") << seed;
  }
}

}  // namespace
}  // namespace rpl
