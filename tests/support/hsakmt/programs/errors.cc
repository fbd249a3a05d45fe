// SPDX-License-Identifier: MIT
// errors vector_add.CO CASE: one dispatch that goes wrong, and what the runtime says.
#include "tests/support/hsakmt/programs/hsa_program.h"

namespace {

std::atomic<int> g_status{0};

void on_error(hsa_status_t status, hsa_queue_t*, void*) { g_status = status; }

}  // namespace

int main(int argc, char** argv) {
  EXPECT(argc == 3);
  const std::string which = argv[2];
  const System system;
  const LoadedCode code(system, argv[1], "vector_add");
  hsa_queue_t* queue = nullptr;
  CHECK(hsa_queue_create(system.gpu, 64, HSA_QUEUE_TYPE_MULTI, on_error, nullptr, UINT32_MAX,
                         UINT32_MAX, &queue));
  auto* out = system.allocate<float>(system.device, 64);
  void* arguments = vector_add_arguments(
      system, out, out, which == "fault" ? reinterpret_cast<float*>(0xdead0000) : out, 64, 64);
  auto packet = dispatch_of(code, arguments, 64, 64, hsa_signal_t{0});
  if (which == "dimensions") packet.grid_size_x = 0;
  if (which == "workgroup") packet.workgroup_size_x = 2048;
  if (which == "lds") packet.group_segment_size = 70000;
  if (which == "code") packet.kernel_object = 0;
  submit(queue, packet, which == "format" ? 0x1504 : kDispatchHeader);
  for (int i = 0; i < 3000 && g_status == 0; ++i) ::usleep(10000);
  const char* text = "no error";
  if (g_status != 0) (void)hsa_status_string(static_cast<hsa_status_t>(g_status.load()), &text);
  std::printf("0x%x %s\n", g_status.load(), text);
  return 0;
}
