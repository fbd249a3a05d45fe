// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/process/background.h"
#include "tests/support/temp_dir.h"

/// A cluster of two emulated nodes on this machine, from the distribution's packages: munged, slurmctld and one slurmd a node, started here and stopped at the end.
namespace rpl::testing_support {

using namespace std::chrono_literals;

inline constexpr int kBasePort = 17000;

inline std::string first_in(std::initializer_list<const char*> places) {
  for (const char* place : places) {
    if (access(place, X_OK) == 0) return place;
  }
  return {};
}

/// Asks until it holds; the deadline only bounds a failing test.
inline bool until(const std::function<bool()>& holds, std::chrono::seconds deadline = 90s) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(100ms);
  }
  return true;
}

class SlurmCluster {
 public:
  /// Why there can be none here; "" when there can.
  static std::string obstacle() {
    if (munged_program().empty()) return "munge is not installed (scripts/setup --full)";
    for (const std::string& program :
         {controller_program(), node_program(), first_in({"/usr/bin/sbatch"})}) {
      if (program.empty()) return "slurm-wlm is not installed (scripts/setup --full)";
    }
    return geteuid() == 0 ? "" : "slurmd starts jobs as their users, which takes root";
  }

  SlurmCluster() {
    const std::string key = folder_ / "munge.key";
    std::ofstream(key) << std::string(128, 'k') << getpid();
    chmod(key.c_str(), 0600);
    write_configuration();
    setenv("SLURM_CONF", (folder_ / "slurm.conf").c_str(), 1);
    munged_ = start(
        {munged_program(), "--force", "--foreground", "--socket=" + (folder_ / "munge.sock"),
         "--key-file=" + key, "--pid-file=" + (folder_ / "munge.pid"),
         "--seed-file=" + (folder_ / "munge.seed"), "--log-file=" + (folder_ / "munged.log")});
    until([&] { return access((folder_ / "munge.sock").c_str(), F_OK) == 0; });
    controller_ = start({controller_program(), "-D", "-c", "-f", folder_ / "slurm.conf"});
    for (const int node : {1, 2}) start_node(node);
  }
  ~SlurmCluster() {
    unsetenv("SLURM_CONF");
    nodes_.clear();
    controller_.reset();
    munged_.reset();
  }

  void start_node(int node) {
    nodes_[node] =
        start({node_program(), "-D", "-N", fmt::format("n{}", node), "-f", folder_ / "slurm.conf"});
  }
  void stop_node(int node) { nodes_.erase(node); }
  static std::string asked(const std::vector<std::string>& argv) {
    const auto exit = run({.argv = argv});
    return exit && exit->ok() ? exit->out.text : std::string();
  }
  bool ready() const {
    return until([] { return asked({"sinfo", "--noheader", "--format=%D %T"}) == "2 idle\n"; });
  }
  std::string log() const { return folder_.read("ctld.log"); }

 private:
  static std::string munged_program() { return first_in({"/usr/sbin/munged", "/sbin/munged"}); }
  static std::string controller_program() {
    return first_in({"/usr/sbin/slurmctld", "/sbin/slurmctld"});
  }
  static std::string node_program() { return first_in({"/usr/sbin/slurmd", "/sbin/slurmd"}); }
  static std::unique_ptr<Background> start(std::vector<std::string> argv) {
    auto child = Background::start({.argv = std::move(argv)});
    return child ? std::make_unique<Background>(std::move(*child)) : nullptr;
  }

  void write_configuration() const {
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    *std::find(std::begin(host), std::end(host) - 1, '.') = 0;
    const int port = kBasePort + static_cast<int>(getpid() % 1000) * 4;
    std::string nodes;
    for (const int node : {1, 2}) {
      nodes += fmt::format(
          "NodeName=n{} NodeHostname={} NodeAddr=127.0.0.1 Port={} CPUs=1 State=UNKNOWN\n", node,
          host, port + node);
      std::filesystem::create_directories(folder_ / fmt::format("spool-n{}", node));
    }
    std::filesystem::create_directories(folder_ / "state");
    folder_.write(
        "slurm.conf",
        fmt::format(
            "ClusterName=rpltest\nSlurmctldHost={0}(127.0.0.1)\nSlurmctldPort={2}\nSlurmUser="
            "root\nSlurmdUser=root\nAuthType=auth/munge\n"
            "AuthInfo=socket={1}/munge.sock\nStateSaveLocation={1}/state\nSlurmdSpoolDir={1}/"
            "spool-%n\nSlurmctldPidFile={1}/ctld.pid\n"
            "SlurmdPidFile={1}/slurmd-%n.pid\nSlurmctldLogFile={1}/ctld.log\nSlurmdLogFile={1}/"
            "slurmd-%n.log\nProctrackType=proctrack/pgid\n"
            "TaskPlugin=task/none\nSwitchType=switch/none\nMpiDefault=none\nSchedulerType=sched/"
            "backfill\nSelectType=select/cons_tres\n"
            "SelectTypeParameters=CR_CPU\nReturnToService=2\nSlurmdTimeout=5\nKillWait="
            "2\nMinJobAge=10\nJobAcctGatherType=jobacct_gather/none\n"
            "AccountingStorageType=accounting_storage/"
            "none\nSchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1\n{3}"
            "PartitionName=debug Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP\n",
            host, folder_.path(), port, nodes));
  }

  const TempDir folder_;
  std::unique_ptr<Background> munged_, controller_;
  std::map<int, std::unique_ptr<Background>> nodes_;
};

}  // namespace rpl::testing_support
