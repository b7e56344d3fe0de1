// Terrain is a pure function: tiles don't depend on requests' order, block size, caches or company.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "server/backend/reference/reference_backend.h"
#include "tests/backend/forwarding_backend.h"
#include "tests/service/test_server.h"

namespace thalweg::service {
namespace {

std::shared_ptr<const world::World> ErodedWorld() {
  v1::WorldSpec spec;
  spec.set_name("test-1");
  spec.set_levels(3);
  spec.mutable_base()->mutable_fbm()->set_wavelength_m(60'000);
  spec.mutable_base()->mutable_fbm()->set_amplitude(1'500);
  v1::LevelRule* rule = spec.add_rules();
  rule->mutable_detail();
  rule->add_stages()->mutable_droplet()->set_steps(3);
  rule->add_stages()->mutable_thermal()->set_iterations(1);
  auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

// Adds the number of reads so far to every value: a fault that the comparisons must find.
class ImpureBackend : public backend::ForwardingBackend {
 public:
  explicit ImpureBackend(std::unique_ptr<backend::Backend> inner)
      : ForwardingBackend(*inner), inner_(std::move(inner)) {}

  absl::StatusOr<std::vector<backend::CutValues>> ReadCuts(
      std::span<const backend::Cut> cuts) override {
    auto cut_values = ForwardingBackend::ReadCuts(cuts);
    if (!cut_values.ok()) return cut_values;
    ++reads_;
    for (backend::CutValues& values : *cut_values) {
      for (std::vector<std::int32_t>& plane : values.planes) {
        for (std::int32_t& value : plane) value += reads_;
      }
    }
    return cut_values;
  }

 private:
  const std::unique_ptr<backend::Backend> inner_;
  std::int32_t reads_ = 0;
};

std::unique_ptr<TestServer> MakeServer(int block_cells, std::size_t cache_bytes, bool impure) {
  TestServerOptions options;
  options.worlds = {ErodedWorld()};
  options.block_cells = block_cells;
  options.cache_bytes = cache_bytes;
  options.backend = backend::CreateReference(1);
  if (impure) options.backend = std::make_unique<ImpureBackend>(std::move(options.backend));
  return std::make_unique<TestServer>(std::move(options));
}

std::vector<v1::GetTileRequest> SomeRequests() {
  std::vector<v1::GetTileRequest> requests;
  for (const auto& [level, x, y] : std::vector<std::tuple<int, std::int64_t, std::int64_t>>{
           {0, 0, 0}, {1, -1, 0}, {2, -1, -1}, {2, -2, -1}, {2, std::int64_t{1} << 32, 7}}) {
    requests.push_back(TileRequestOf(level, x, y));
    requests.back().add_layers(v1::LAYER_HEIGHT);
    requests.back().add_layers(v1::LAYER_FLOW);
  }
  return requests;
}

// Sends all requests, one after the other, in an order that the seed decides.
std::map<std::string, std::string> Answers(TestServer& server, std::uint64_t seed) {
  std::vector<v1::GetTileRequest> requests = SomeRequests();
  std::mt19937_64 random(seed);
  std::shuffle(requests.begin(), requests.end(), random);
  std::map<std::string, std::string> answers;
  for (const v1::GetTileRequest& request : requests) {
    PendingTile call(server, request);
    const grpc::Status status = call.Await();
    EXPECT_TRUE(status.ok()) << status.error_message();
    answers[request.SerializeAsString()] = call.tile().SerializeAsString();
  }
  return answers;
}

constexpr std::size_t kCacheBytes = std::size_t{64} << 20;

TEST(PureFunctionTest, RequestOrderCannotBeSeen) {
  const auto first = Answers(*MakeServer(256, kCacheBytes, false), 1);
  EXPECT_EQ(first, Answers(*MakeServer(256, kCacheBytes, false), 2)) << "seeds 1 and 2";
}

TEST(PureFunctionTest, BlockSizeCannotBeSeen) {
  EXPECT_EQ(Answers(*MakeServer(256, kCacheBytes, false), 1),
            Answers(*MakeServer(512, kCacheBytes, false), 1))
      << "seed 1";
}

TEST(PureFunctionTest, CacheHitEqualsMiss) {
  const auto cached = MakeServer(256, kCacheBytes, false);
  const auto miss = Answers(*cached, 1);
  EXPECT_EQ(cached->cache().stats().hits, 0U);
  EXPECT_EQ(Answers(*cached, 2), miss);
  EXPECT_EQ(cached->cache().stats().hits, miss.size());
  const auto uncached = MakeServer(256, 0, false);
  EXPECT_EQ(Answers(*uncached, 1), miss);
  EXPECT_EQ(Answers(*uncached, 2), miss);
  EXPECT_EQ(uncached->cache().stats().hits, 0U);
}

// The twin: the comparison finds terrain that depends on earlier requests.
TEST(PureFunctionTest, ImpureTerrainIsNoticed) {
  const auto first = Answers(*MakeServer(256, kCacheBytes, true), 1);
  EXPECT_NE(first, Answers(*MakeServer(256, kCacheBytes, true), 2)) << "seeds 1 and 2";
}

}  // namespace
}  // namespace thalweg::service
