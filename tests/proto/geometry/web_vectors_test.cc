// The viewer in the browser has a port of this folder's rule. The tiles that it must choose are in
// files that this test keeps current, in client/web/test/vectors: lod.json for planes, and
// lod_planet.json and planet.json for planets.
#include "tests/proto/web_vectors.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "proto/geometry/cube_sphere.h"
#include "proto/geometry/drawable.h"
#include "proto/geometry/surface.h"
#include "tests/proto/geometry/random_scene.h"

namespace thalweg::lod {
namespace {

using wire::TileKey;

constexpr int kVectorScenes = 24;
constexpr std::size_t kMaxTiles = 400;
constexpr std::uint64_t kLoadedPercent = 85;

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

// On a plane, the face is left out.
std::string KeyText(const TileKey& key, wire::Shape shape) {
  const std::string face =
      shape == wire::Shape::kSphere ? std::to_string(key.face) + "," : std::string();
  return face + std::to_string(key.level) + "," + std::to_string(key.x) + "," +
         std::to_string(key.y);
}

std::string VectorText(const sphere::Vector& vector) {
  return "[" + Number(vector.x) + "," + Number(vector.y) + "," + Number(vector.z) + "]";
}

// Items in brackets, separated by commas.
class List {
 public:
  void Add(const std::string& item) { text_ += (text_.empty() ? "" : ",") + item; }
  std::string Text() const { return "[" + text_ + "]"; }

 private:
  std::string text_;
};

std::string ViewText(const View& view) {
  return "\"position\":" + VectorText(view.position) +
         ",\"direction\":" + VectorText(view.direction) +
         ",\"fov\":" + Number(view.vertical_fov_deg) + ",\"aspect\":" + Number(view.aspect) +
         ",\"height\":" + std::to_string(view.viewport_height_px) +
         ",\"error\":" + Number(view.tolerated_error_px) + ",\"range\":" + Number(view.range_m);
}

// One scene: its view, the facts that were asked for, and the selected, loaded and drawn tiles.
// Empty if that would be too long.
std::string SceneText(std::uint64_t seed, wire::Shape shape) {
  RandomScene scene(seed, shape);
  std::map<TileKey, TileFacts> known;
  const Selection selection =
      Selection::Of(scene.view(), scene.grid(), [&](const TileKey& key) -> const TileFacts* {
        const TileFacts* facts = scene.FactsOf(key);
        if (facts != nullptr) known[key] = *facts;
        return facts;
      });
  if (selection.tiles().size() > kMaxTiles) return "";
  const Drawable drawable = DrawableOf(selection, [&scene](const TileKey& key) {
    return key.level == 0 || scene.IsLoaded(key, kLoadedPercent);
  });
  List facts;
  List tiles;
  List drawn;
  for (const auto& [key, fact] : known) {
    facts.Add("[" + KeyText(key, shape) + "," + std::to_string(fact.geometric_error) + "," +
              std::to_string(fact.min_height) + "," + std::to_string(fact.max_height) + "]");
  }
  for (const Wanted& tile : selection.tiles()) {
    const bool loaded = tile.key.level == 0 || scene.IsLoaded(tile.key, kLoadedPercent);
    tiles.Add("[" + KeyText(tile.key, shape) + "," + (tile.split ? "1," : "0,") +
              std::to_string(static_cast<int>(tile.need)) + (loaded ? ",1]" : ",0]"));
  }
  for (const Drawn& tile : drawable.tiles) drawn.Add("[" + KeyText(tile.key, shape) + "]");
  const std::string radius = shape == wire::Shape::kSphere
                                 ? ",\"radius\":" + Number(scene.grid().radius_m)
                                 : std::string();
  return "{\"cell\":" + Number(scene.grid().cell_size_m) + radius +
         ",\"levels\":" + std::to_string(scene.grid().levels) + "," + ViewText(scene.view()) +
         ",\"facts\":" + facts.Text() + ",\"tiles\":" + tiles.Text() +
         ",\"drawn\":" + drawn.Text() + "}";
}

std::string ScenesText(wire::Shape shape) {
  std::string text = "[";
  int scenes = 0;
  for (std::uint64_t seed = 0; scenes < kVectorScenes; ++seed) {
    const std::string scene = SceneText(seed, shape);
    if (scene.empty()) continue;
    text += (scenes++ > 0 ? ",\n" : "\n") + scene;
  }
  return text + "\n]\n";
}

// Tiles at every edge and corner of the faces, the tiles that touch them, and the position of one
// vertex of each.
std::string PlanetText() {
  const auto surface = SurfaceOf({.cell_size_m = 39'092, .levels = 18, .radius_m = 6'371'000});
  std::string text = "[";
  for (int face = 0; face < sphere::kFaces; ++face) {
    for (const int level : {0, 1, 2, 17}) {
      const std::int64_t last = (std::int64_t{1} << level) - 1;
      for (const auto& [x, y] : {std::pair{std::int64_t{0}, last / 2},
                                 {last, last / 3},
                                 {last / 2, std::int64_t{0}},
                                 {last / 3, last},
                                 {last, last}}) {
        const TileKey key{.face = face, .level = level, .x = x, .y = y};
        List touching;
        for (const TileKey& other : surface->TouchingOf(key)) {
          touching.Add("[" + KeyText(other, wire::Shape::kSphere) + "]");
        }
        const sphere::Vector point = surface->PointOver(PlaceOf(key, 256, 77), 1234.5);
        text += (text.size() > 1 ? ",\n" : "\n") + std::string("{\"key\":[") +
                KeyText(key, wire::Shape::kSphere) + "],\"touching\":" + touching.Text() +
                ",\"point\":" + VectorText(point) + "}";
      }
    }
  }
  return text + "\n]\n";
}

TEST(WebVectorsTest, AreUpToDate) {
  ExpectCurrentVectors("lod.json", ScenesText(wire::Shape::kPlane));
}

TEST(WebVectorsTest, VectorsOfPlanetsAreUpToDate) {
  ExpectCurrentVectors("lod_planet.json", ScenesText(wire::Shape::kSphere));
  ExpectCurrentVectors("planet.json", PlanetText());
}

}  // namespace
}  // namespace thalweg::lod
