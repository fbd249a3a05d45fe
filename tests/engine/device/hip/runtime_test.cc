// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "engine/base/files.h"
#include "engine/device/hip/runtime.h"
#include "tests/support/temp_dir.h"

namespace rpl::emu::hip {
namespace {

constexpr int kToDevice = 1, kFromDevice = 2;

class RuntimeTest : public testing::Test {
 protected:
  static RuntimeSettings settings(std::uint32_t devices) {
    return {.kind = *device_kind("MI300X"), .devices = devices};
  }

  Module* vector_add(Runtime& runtime) {
    image_ = *read_binary_file(RPL_EXAMPLES "/objects/vector_add.gfx942.co");
    return *runtime.add_module(image_);
  }
  float* array(Runtime& runtime, std::size_t count) {
    void* pointer = nullptr;
    EXPECT_EQ(
        runtime.allocate(thread_, Allocation::Kind::device, count * sizeof(float), 0, &pointer),
        Code::success);
    return static_cast<float*>(pointer);
  }
  static LaunchRequest request(Function* function, Stream* stream, const float* a, const float* b,
                               float* out, int count) {
    LaunchRequest request{
        .function = function, .grid = {512, 1, 1}, .workgroup = {256, 1, 1}, .stream = stream};
    request.arguments.resize(28);
    std::memcpy(request.arguments.data(), &a, 8);
    std::memcpy(request.arguments.data() + 8, &b, 8);
    std::memcpy(request.arguments.data() + 16, &out, 8);
    std::memcpy(request.arguments.data() + 24, &count, 4);
    return request;
  }

  ThreadState thread_;
  std::vector<std::byte> image_;
};

TEST_F(RuntimeTest, RunsAKernel) {
  Runtime runtime(settings(1), std::nullopt);
  Function* function = vector_add(runtime)->function("vector_add");
  ASSERT_NE(function, nullptr);
  constexpr int kCount = 500;
  std::vector<float> host(kCount);
  std::iota(host.begin(), host.end(), 1.0F);
  float *a = array(runtime, kCount), *out = array(runtime, kCount);
  Stream* stream = runtime.stream_of(thread_, nullptr);
  ASSERT_EQ(runtime.copy(thread_, a, host.data(), kCount * sizeof(float), kToDevice, stream, true),
            Code::success);
  const std::int64_t before = runtime.now();
  ASSERT_EQ(runtime.launch(thread_, request(function, stream, a, a, out, kCount)), Code::success);
  EXPECT_EQ(runtime.now(), before);
  EXPECT_GT(runtime.done_ns(*stream), before + runtime.costs().dispatch_latency_ns);
  ASSERT_EQ(
      runtime.copy(thread_, host.data(), out, kCount * sizeof(float), kFromDevice, stream, true),
      Code::success);
  EXPECT_EQ(host[499], 1000.0F);
  EXPECT_GE(runtime.now(), runtime.done_ns(*stream));
}

TEST_F(RuntimeTest, StreamsAreOrderedByEventsAndByTheNullStream) {
  Runtime runtime(settings(1), std::nullopt);
  Function* function = vector_add(runtime)->function("vector_add");
  float* data = array(runtime, 512);
  Stream *first = runtime.create_stream(thread_, 0, 0),
         *second = runtime.create_stream(thread_, 1, 0);
  Stream* null = runtime.stream_of(thread_, nullptr);
  ASSERT_EQ(runtime.launch(thread_, request(function, first, data, data, data, 512)),
            Code::success);
  Event* event = runtime.create_event(0);
  runtime.record(*event, *first);
  EXPECT_EQ(event->time_ns, runtime.done_ns(*first));
  EXPECT_LT(runtime.done_ns(*second), event->time_ns);
  runtime.wait_on(*second, *event);
  EXPECT_EQ(runtime.done_ns(*second), event->time_ns);
  // The null stream waits for the first stream, which blocks; the second one does not.
  EXPECT_EQ(runtime.done_ns(*null), event->time_ns);
  ASSERT_EQ(runtime.launch(thread_, request(function, second, data, data, data, 512)),
            Code::success);
  EXPECT_EQ(runtime.done_ns(*null), event->time_ns);
  EXPECT_GT(runtime.device_done_ns(0), event->time_ns);
}

TEST_F(RuntimeTest, ChecksHandlesAndMemory) {
  Runtime runtime(settings(2), std::nullopt);
  int local = 0;
  EXPECT_EQ(runtime.stream_of(thread_, &local), nullptr);
  EXPECT_EQ(runtime.destroy_stream(runtime.stream_of(thread_, nullptr)), Code::invalid_handle);
  Event* event = runtime.create_event(0);
  EXPECT_EQ(runtime.destroy_event(event), Code::success);
  EXPECT_FALSE(runtime.is_event(event));
  float* data = array(runtime, 4);
  Stream* null = runtime.stream_of(thread_, nullptr);
  float host[5] = {};
  EXPECT_EQ(runtime.copy(thread_, data, host, 20, kToDevice, null, true), Code::invalid_value);
  EXPECT_EQ(runtime.copy(thread_, &local, host, 4, kToDevice, null, true), Code::invalid_value);
  EXPECT_EQ(runtime.copy(thread_, data, host, 16, 9, null, true), Code::invalid_memcpy_direction);
  EXPECT_EQ(runtime.fill(thread_, &local, 0, 1, 4, null, true), Code::invalid_value);
  EXPECT_EQ(runtime.release(thread_, data + 1, false), Code::invalid_value);
  EXPECT_EQ(runtime.release(thread_, data, true), Code::invalid_value);
  EXPECT_EQ(runtime.release(thread_, data, false), Code::success);
  void* much = nullptr;
  EXPECT_EQ(runtime.allocate(thread_, Allocation::Kind::device, std::uint64_t{200} << 30, 0, &much),
            Code::out_of_memory);
  EXPECT_EQ(runtime.enable_peer(0, 1, true), Code::success);
  EXPECT_EQ(runtime.enable_peer(0, 1, true), Code::peer_access_already_enabled);
  EXPECT_EQ(runtime.enable_peer(0, 0, true), Code::invalid_device);
}

TEST_F(RuntimeTest, AKernelThatFaultsStopsTheDevices) {
  Runtime runtime(settings(1), std::nullopt);
  Function* function = vector_add(runtime)->function("vector_add");
  float* data = array(runtime, 8);
  Stream* null = runtime.stream_of(thread_, nullptr);
  testing::internal::CaptureStderr();
  EXPECT_EQ(runtime.launch(thread_, request(function, null, data, data, data, 512)),
            Code::illegal_address);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("past the end of device allocation 1"));
  EXPECT_EQ(runtime.launch(thread_, request(function, null, data, data, data, 8)),
            Code::illegal_address);
  EXPECT_THAT(runtime.failure_text(), testing::HasSubstr("vector_add"));
}

TEST_F(RuntimeTest, AWrongLaunchIsNoFault) {
  Runtime runtime(settings(1), std::nullopt);
  Function* function = vector_add(runtime)->function("vector_add");
  Stream* null = runtime.stream_of(thread_, nullptr);
  LaunchRequest wrong = request(function, null, nullptr, nullptr, nullptr, 0);
  wrong.workgroup = {2048, 1, 1};
  EXPECT_EQ(runtime.launch(thread_, wrong), Code::invalid_configuration);
  EXPECT_EQ(runtime.failure(), Code::success);
}

TEST_F(RuntimeTest, WritesDownWhatItDid) {
  const testing_support::TempDir folder;
  {
    Runtime runtime(settings(1), *RecordingWriter::create(folder / "r"));
    Function* function = vector_add(runtime)->function("vector_add");
    float* data = array(runtime, 512);
    Stream* stream = runtime.create_stream(thread_, 0, 0);
    thread_.correlation = 77;
    ASSERT_EQ(runtime.launch(thread_, request(function, stream, data, data, data, 512)),
              Code::success);
    runtime.refuse("hipGraphCreate");
    runtime.finish();
  }
  const auto read = read_recording_file(folder / "r");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_TRUE(read->complete);
  std::vector<std::size_t> kinds;
  for (const Record& record : read->records) kinds.push_back(record.index());
  // Process, null stream, memory, stream, code object, kernel, dispatch, refused, end.
  EXPECT_THAT(kinds, testing::ElementsAre(0, 1, 7, 1, 2, 3, 5, 8, 9));
  const auto& dispatch = std::get<DispatchRecord>(read->records[6]);
  EXPECT_EQ(dispatch.place.correlation, 77U);
  EXPECT_EQ(dispatch.place.stream, 1U);
  EXPECT_GT(dispatch.place.end_ns, dispatch.place.start_ns);
  EXPECT_EQ(std::get<KernelRecord>(read->records[5]).name, "vector_add");
}

TEST_F(RuntimeTest, NamesTheArchitecturesOfCodeThatDoesNotFit) {
  Runtime runtime(settings(1), std::nullopt);
  image_ = *read_binary_file(RPL_EXAMPLES "/objects/vector_add.gfx90a.co");
  const auto module = runtime.add_module(image_);
  ASSERT_FALSE(module.has_value());
  EXPECT_THAT(module.error().message, testing::HasSubstr("gfx90a"));
}

}  // namespace
}  // namespace rpl::emu::hip
