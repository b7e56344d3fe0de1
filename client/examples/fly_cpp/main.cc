// SPDX-License-Identifier: Apache-2.0

// Flies over a world with libthalweg's C++ interface, and keeps meshes as a renderer would:
// fly_cpp HOST:PORT WORLD [SECONDS]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>

#include "thalweg/client.h"
#include "thalweg/terrain_view.h"

namespace {

// Stands for a mesh on a graphics card: the heights that it would be made from.
using Mesh = std::vector<std::int32_t>;

// The meshes of the tiles that are drawn.
class Scene {
 public:
  void Apply(const thalweg::FrameChanges& changes) {
    for (const thalweg::TileKey& key : changes.removed) meshes_.erase(key);
    Replace(changes.coarsened);
    Replace(changes.refined);
    for (const thalweg::DrawnTile& tile : changes.added) Add(tile);
    for (const thalweg::DrawnTile& tile : changes.restitched) Add(tile);
  }
  std::size_t size() const { return meshes_.size(); }

 private:
  void Add(const thalweg::DrawnTile& tile) { meshes_[tile.key] = thalweg::StitchedHeights(tile); }
  void Replace(const std::vector<thalweg::Replacement>& replacements) {
    for (const thalweg::Replacement& replacement : replacements) {
      for (const thalweg::TileKey& key : replacement.removed) meshes_.erase(key);
      for (const thalweg::DrawnTile& tile : replacement.added) Add(tile);
    }
  }

  std::map<thalweg::TileKey, Mesh> meshes_;
};

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "fly_cpp: %s\n", status.ToString().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: fly_cpp HOST:PORT WORLD [SECONDS]\n");
    return 2;
  }
  const double seconds = argc > 3 ? std::atof(argv[3]) : 5;
  const auto client = thalweg::Client::Connect(argv[1]);
  if (!client.ok()) return Fail(client.status());
  const auto view = thalweg::TerrainView::Open(**client, {.world = argv[2]});
  if (!view.ok()) return Fail(view.status());

  Scene scene;
  int frames = 0;
  int complete = 0;
  thalweg::Camera camera{.velocity_m_s = {.east = 100},
                         .direction = {.east = 1, .south = 0, .up = -0.2},
                         .tolerated_error_px = 4};
  const auto begin = std::chrono::steady_clock::now();
  for (double now = 0; now < seconds && (*view)->status().ok(); ++frames) {
    camera.position_m.east = 100 * now;
    const auto ground = (*view)->HeightAt(camera.position_m.east, camera.position_m.south);
    camera.position_m.up = ground.value_or(1'000) + 300;
    if (const absl::Status set = (*view)->SetCamera(camera); !set.ok()) return Fail(set);
    const thalweg::FrameChanges changes = (*view)->Update();
    scene.Apply(changes);
    complete += changes.complete ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(16));
    now = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  const thalweg::TerrainStatistics statistics = (*view)->Statistics();
  std::printf("%d frames, %d complete, %zu tiles drawn, %zu meshes, %llu tiles received\n", frames,
              complete, (*view)->drawn().size(), scene.size(),
              static_cast<unsigned long long>(statistics.tiles_received));
  if (scene.size() != (*view)->drawn().size()) return 1;
  return (*view)->status().ok() ? 0 : Fail((*view)->status());
}
