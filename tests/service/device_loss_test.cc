// A whole server loses its device while a session streams.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/backend/vulkan/vulkan_backend.h"
#include "server/tile/tile_query.h"
#include "tests/backend/forwarding_backend.h"
#include "tests/field/test_world.h"
#include "tests/service/session_client.h"
#include "tests/service/test_server.h"
#include "tests/session/sample_view.h"

namespace thalweg::service {
namespace {

using session::SampleView;

using backend::vulkan::VulkanBackend;

// A Vulkan device that is lost in the middle of runs, `losses` times, but not during the first
// runs, whose blocks have given tiles. A loss destroys these blocks and those of the run.
class FragileBackend final : public backend::ForwardingBackend {
 public:
  FragileBackend(std::unique_ptr<VulkanBackend> device, std::shared_ptr<std::atomic<int>> losses)
      : ForwardingBackend(*device), device_(std::move(device)), losses_(std::move(losses)) {}

  absl::StatusOr<std::unique_ptr<backend::PendingRun>> Begin(
      const world::LevelProgram& program, const world::BlockShape& shape,
      std::span<const backend::Job> jobs, const backend::RunOptions& options) override {
    // Only the thread that calls Begin may use the device.
    if (++runs_ > kRunsBefore && losses_->load() > 0) {
      --*losses_;
      device_->SimulateDeviceLoss();
    }
    return ForwardingBackend::Begin(program, shape, jobs, options);
  }

 private:
  static constexpr int kRunsBefore = 3;

  const std::unique_ptr<VulkanBackend> device_;
  const std::shared_ptr<std::atomic<int>> losses_;
  int runs_ = 0;
};

class DeviceLossTest : public testing::Test {
 protected:
  std::unique_ptr<TestServer> MakeServer() {
    auto device = VulkanBackend::Create({.pipeline_cache = "off"});
    EXPECT_TRUE(device.ok()) << device.status();
    TestServerOptions options;
    options.backend = std::make_unique<FragileBackend>(*std::move(device), losses_);
    return std::make_unique<TestServer>(std::move(options));
  }

  const std::shared_ptr<std::atomic<int>> losses_ = std::make_shared<std::atomic<int>>(0);
};

using Tiles = std::map<wire::TileKey, std::string>;

// The bytes of the tiles of a flight's two views, and how many tiles came twice or failed.
struct Streamed {
  Tiles tiles;
  int repeated = 0;
  int failed = 0;
};

Streamed Fly(TestServer& server) {
  Streamed streamed;
  SessionClient client(server);
  client.Grant(100'000);
  for (const double south : {0.0, 3'000.0}) {
    client.Look(SampleView(south == 0 ? 1 : 2, 0, south));
    bool settled = false;
    while (!settled) {
      const auto response = client.Read();
      if (!response) break;
      settled = response->has_settled();
      if (response->has_failed()) ++streamed.failed;
      if (!response->has_tile()) continue;
      const auto key = tile::FromProto(response->tile().key());
      const bool fresh = streamed.tiles.emplace(key, response->tile().SerializeAsString()).second;
      if (!fresh) ++streamed.repeated;
    }
    EXPECT_TRUE(settled) << client.Finish().error_message();
  }
  return streamed;
}

TEST_F(DeviceLossTest, ASessionDoesNotNoticeALostDevice) {
  const Streamed whole = Fly(*MakeServer());
  ASSERT_GT(whole.tiles.size(), 10U);
  const auto server = MakeServer();
  *losses_ = 1;
  const Streamed streamed = Fly(*server);
  EXPECT_EQ(server->tiles().field_stats().device_losses, 1U);
  EXPECT_EQ(streamed.failed, 0);
  EXPECT_EQ(streamed.repeated, 0);
  EXPECT_TRUE(streamed.tiles == whole.tiles);
}

// The twin: if the device is lost again and again, tiles fail, and the session reports each. The
// session and the server go on.
TEST_F(DeviceLossTest, ADeviceLostRepeatedlyFailsTilesButNoSession) {
  const auto server = MakeServer();
  *losses_ = 1'000'000;
  const Streamed streamed = Fly(*server);
  EXPECT_GT(streamed.failed, 0);
  EXPECT_GT(server->tiles().field_stats().device_losses, 1U);
  *losses_ = 0;
  EXPECT_EQ(Fly(*server).failed, 0);
}

}  // namespace
}  // namespace thalweg::service
