// Every layer of a world, from a server that has read the world from a folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "proto/wire/tile_codec.h"
#include "proto/wire/tile_key.h"
#include "server/backend/reference/reference_backend.h"
#include "tests/service/test_server.h"

namespace thalweg::service {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

// Both levels have water in pools before rivers incise. One world also has a sea.
constexpr char kPonds[] = R"({
  "name": "ponds", "levels": 2, "cell_size_m": 256,
  "base": {"fbm": {"wavelength_m": 20000, "amplitude": 900}},
  "rules": [{"detail": {}, "stages": [
    {"pools": {"path": 8, "fills": 16}},
    {"fluvial": {"drainage": 8, "iterations": 4}},
    {"droplet": {"steps": 4}}]}]})";
constexpr char kCoast[] = R"({
  "name": "coast", "levels": 2, "cell_size_m": 256, "sea_level_m": 0,
  "base": {"fbm": {"wavelength_m": 20000, "amplitude": 900}},
  "rules": [{"detail": {}, "stages": [{"droplet": {"steps": 3}}]}]})";
constexpr char kDry[] = R"({
  "name": "dry", "levels": 1,
  "base": {"constant": 5}, "rules": [{"stages": [{"thermal": {"iterations": 1}}]}]})";

constexpr std::size_t kSide = wire::kTileVertices;
using Planes = std::map<v1::Layer, std::vector<std::int32_t>>;

class LayersTest : public testing::Test {
 protected:
  LayersTest() {
    std::string path = testing::TempDir() + "/layersXXXXXX";
    if (mkdtemp(path.data()) == nullptr) std::abort();
    folder_ = path;
    std::ofstream(folder_ / "ponds.json") << kPonds;
    std::ofstream(folder_ / "coast.json") << kCoast;
    std::ofstream(folder_ / "dry.json") << kDry;
    auto library = world::WorldLibrary::Open(folder_);
    EXPECT_TRUE(library.ok()) << library.status();
    EXPECT_TRUE((*library)->problems().empty());
    TestServerOptions options;
    options.backend = backend::CreateReference(1);
    for (const char* name : {"ponds", "coast", "dry"}) {
      options.worlds.push_back(*(*library)->Find(name));
    }
    server_ = std::make_unique<TestServer>(std::move(options));
  }
  ~LayersTest() override { fs::remove_all(folder_); }

  std::vector<int> LayersOfWorld(const std::string& name) {
    grpc::ClientContext context;
    v1::GetWorldRequest request;
    request.set_world(name);
    v1::GetWorldResponse response;
    const grpc::Status status = server_->stub().GetWorld(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return {response.world().layers().begin(), response.world().layers().end()};
  }

  static v1::GetTileRequest RequestOf(const std::string& world, int level, std::int64_t x,
                                      std::int64_t y, const std::vector<int>& layers,
                                      v1::Precision precision = v1::PRECISION_EXACT) {
    v1::GetTileRequest request = TileRequestOf(level, x, y);
    request.set_world(world);
    for (const int layer : layers) request.add_layers(static_cast<v1::Layer>(layer));
    request.set_precision(precision);
    return request;
  }

  Planes Get(const v1::GetTileRequest& request) {
    PendingTile call(*server_, request);
    const grpc::Status status = call.Await();
    EXPECT_TRUE(status.ok()) << status.error_message();
    Planes planes;
    for (const v1::TileLayer& layer : call.tile().layers()) {
      const auto values = wire::DecodeLayer(layer.data(), wire::kTileVertices, wire::kTileVertices,
                                            static_cast<int>(layer.lattice_shift()));
      EXPECT_TRUE(values.ok()) << values.status();
      planes[layer.layer()] = *values;
    }
    EXPECT_EQ(planes.size(), static_cast<std::size_t>(request.layers_size()));
    return planes;
  }

  fs::path folder_;
  std::unique_ptr<TestServer> server_;
};

TEST_F(LayersTest, EachWorldOffersItsOwnLayers) {
  const std::vector<int> dry = LayersOfWorld("dry");
  EXPECT_EQ(dry, (std::vector<int>{v1::LAYER_HEIGHT, v1::LAYER_FLOW, v1::LAYER_WASH_LOAD,
                                   v1::LAYER_UPLIFT, v1::LAYER_SEDIMENT, v1::LAYER_WEAR,
                                   v1::LAYER_DEPOSIT, v1::LAYER_NORMAL, v1::LAYER_SLOPE,
                                   v1::LAYER_COVER}));
  for (const char* wet : {"ponds", "coast"}) {
    EXPECT_THAT(
        LayersOfWorld(wet),
        AllOf(Contains(v1::LAYER_WATER_LEVEL), Contains(v1::LAYER_WATER_DEPTH),
              Not(Contains(v1::LAYER_VEGETATION)), Not(Contains(v1::LAYER_SHORE_DISTANCE))));
  }
}

TEST_F(LayersTest, LayersThatAWorldLacksAreRefused) {
  for (const auto& [world, layer] :
       {std::pair{"dry", v1::LAYER_WATER_LEVEL}, std::pair{"dry", v1::LAYER_WATER_DEPTH},
        std::pair{"ponds", v1::LAYER_VEGETATION}, std::pair{"coast", v1::LAYER_SHORE_DIRECTION}}) {
    PendingTile tile(*server_, RequestOf(world, 0, 0, 0, {v1::LAYER_HEIGHT, layer}));
    const grpc::Status status = tile.Await();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_THAT(status.error_message(), AllOf(HasSubstr(v1::Layer_Name(layer)), HasSubstr(world),
                                              HasSubstr("LAYER_SLOPE")));

    v1::StreamTilesRequest rectangle = RectangleRequestOf(0, 0, 0, 1, 1);
    rectangle.set_world(world);
    rectangle.add_layers(layer);
    grpc::ClientContext context;
    const auto reader = server_->stub().StreamTiles(&context, rectangle);
    v1::StreamTilesResponse none;
    EXPECT_FALSE(reader->Read(&none));
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  }
}

TEST_F(LayersTest, LayersAreTheSameAloneAndTogether) {
  const std::vector<int> all = LayersOfWorld("ponds");
  const Planes together = Get(RequestOf("ponds", 1, 0, 0, all));
  for (const int layer : all) {
    const Planes alone = Get(RequestOf("ponds", 1, 0, 0, {layer}));
    EXPECT_EQ(alone.at(static_cast<v1::Layer>(layer)), together.at(static_cast<v1::Layer>(layer)))
        << v1::Layer_Name(static_cast<v1::Layer>(layer));
  }
}

TEST_F(LayersTest, LayersAgreeWithEachOther) {
  for (const char* world : {"ponds", "coast"}) {
    const Planes planes = Get(RequestOf(world, 1, 0, 0, LayersOfWorld(world)));
    const auto& height = planes.at(v1::LAYER_HEIGHT);
    const auto& level = planes.at(v1::LAYER_WATER_LEVEL);
    const auto& depth = planes.at(v1::LAYER_WATER_DEPTH);
    const auto& slope = planes.at(v1::LAYER_SLOPE);
    const auto& normal = planes.at(v1::LAYER_NORMAL);
    std::size_t wet = 0;
    std::size_t moved = 0;
    for (std::size_t k = 0; k < height.size(); ++k) {
      ASSERT_GE(level[k], height[k]);
      ASSERT_EQ(depth[k], level[k] - height[k]);
      wet += depth[k] > 0 ? 1 : 0;
      ASSERT_GE(planes.at(v1::LAYER_SEDIMENT)[k], 0);
      const std::int32_t wear = planes.at(v1::LAYER_WEAR)[k];
      const std::int32_t deposit = planes.at(v1::LAYER_DEPOSIT)[k];
      ASSERT_TRUE(wear >= 0 && deposit >= 0 && (wear == 0 || deposit == 0));
      moved += wear + deposit > 0 ? 1 : 0;
      // The normal leans as much as the slope.
      const double east = static_cast<std::int16_t>(normal[k] & 0xFFFF) / 32767.0;
      const double south = (normal[k] >> 16) / 32767.0;
      const double across = east * east + south * south;
      ASSERT_NEAR(std::sqrt(across / (1 - across)), slope[k] / 65536.0, 1e-3);
    }
    EXPECT_GT(wet, 100U) << world;
    EXPECT_LT(wet, height.size()) << world;
    EXPECT_GT(moved, 1'000U) << world;
  }
}

// Tests every layer, rounded or not. Each tile is a block here, so tiles' edges are blocks' edges.
TEST_F(LayersTest, NeighboursShareTheirEdges) {
  const std::vector<int> all = LayersOfWorld("ponds");
  for (const v1::Precision precision : {v1::PRECISION_EXACT, v1::PRECISION_LATTICE}) {
    const Planes west = Get(RequestOf("ponds", 1, -1, 0, all, precision));
    const Planes east = Get(RequestOf("ponds", 1, 0, 0, all, precision));
    const Planes south = Get(RequestOf("ponds", 1, -1, 1, all, precision));
    for (const auto& [layer, plane] : west) {
      for (std::size_t k = 0; k < kSide; ++k) {
        ASSERT_EQ(plane[k * kSide + kSide - 1], east.at(layer)[k * kSide]) << v1::Layer_Name(layer);
        ASSERT_EQ(plane[(kSide - 1) * kSide + k], south.at(layer)[k]) << v1::Layer_Name(layer);
      }
    }
  }
}

}  // namespace
}  // namespace thalweg::service
