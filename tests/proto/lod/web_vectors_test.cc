// The viewer in the browser ports this folder's rule. What it must choose is a file that this test
// keeps current: client/web/test/vectors/lod.json.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "proto/lod/drawable.h"
#include "tests/proto/lod/random_scene.h"

namespace thalweg::lod {
namespace {

using wire::TileKey;

constexpr int kVectorScenes = 24;
constexpr std::size_t kMostTiles = 400;
constexpr std::uint64_t kLoadedPercent = 85;

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string KeyText(const TileKey& key) {
  return std::to_string(key.level) + "," + std::to_string(key.x) + "," + std::to_string(key.y);
}

std::string VectorText(const Vector& vector) {
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

// One scene: its view, the facts that were asked for, what is selected, loaded and drawn. Empty
// where that would be too long.
std::string SceneText(std::uint64_t seed) {
  RandomScene scene(seed);
  std::map<TileKey, TileFacts> known;
  const Selection selection =
      Selection::Of(scene.view(), scene.grid(), [&](const TileKey& key) -> const TileFacts* {
        const TileFacts* facts = scene.FactsOf(key);
        if (facts != nullptr) known[key] = *facts;
        return facts;
      });
  if (selection.tiles().size() > kMostTiles) return "";
  const Drawable drawable = DrawableOf(selection, [&scene](const TileKey& key) {
    return key.level == 0 || scene.IsLoaded(key, kLoadedPercent);
  });
  List facts;
  List tiles;
  List drawn;
  for (const auto& [key, fact] : known) {
    facts.Add("[" + KeyText(key) + "," + std::to_string(fact.geometric_error) + "," +
              std::to_string(fact.min_height) + "," + std::to_string(fact.max_height) + "]");
  }
  for (const Wanted& tile : selection.tiles()) {
    const bool loaded = tile.key.level == 0 || scene.IsLoaded(tile.key, kLoadedPercent);
    tiles.Add("[" + KeyText(tile.key) + "," + (tile.split ? "1," : "0,") +
              std::to_string(static_cast<int>(tile.need)) + (loaded ? ",1]" : ",0]"));
  }
  for (const Drawn& tile : drawable.tiles) drawn.Add("[" + KeyText(tile.key) + "]");
  return "{\"cell\":" + Number(scene.grid().cell_size_m) +
         ",\"levels\":" + std::to_string(scene.grid().levels) + "," + ViewText(scene.view()) +
         ",\"facts\":" + facts.Text() + ",\"tiles\":" + tiles.Text() +
         ",\"drawn\":" + drawn.Text() + "}";
}

TEST(WebVectorsTest, AreCurrent) {
  std::string current = "[";
  int scenes = 0;
  for (std::uint64_t seed = 0; scenes < kVectorScenes; ++seed) {
    const std::string scene = SceneText(seed);
    if (scene.empty()) continue;
    current += (scenes++ > 0 ? ",\n" : "\n") + scene;
  }
  current += "\n]\n";

  const std::string path = THALWEG_SOURCE_DIR "/client/web/test/vectors/lod.json";
  std::ifstream file(path);
  const std::string committed{std::istreambuf_iterator<char>(file), {}};
  if (committed == current) return;
  const std::string fresh = testing::TempDir() + "lod.json";
  std::ofstream(fresh) << current;
  ADD_FAILURE() << path << " is not what proto/lod chooses: if that is meant, copy " << fresh;
}

}  // namespace
}  // namespace thalweg::lod
