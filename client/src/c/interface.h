// What the files of the C interface share. No exception leaves it: when memory runs out, the
// program aborts, as everywhere in this library.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "thalweg/client.h"
#include "thalweg/terrain_view.h"
#include "thalweg/thalweg.h"

struct thalweg_client {
  std::unique_ptr<thalweg::Client> client;
};

// A view, and the results of its last two updates.
struct thalweg_view {
  std::unique_ptr<thalweg::TerrainView> view;
  std::vector<thalweg::DrawnTile> held;
  std::vector<thalweg::DrawnTile> held_before;
  std::vector<thalweg_removed_tile> removed;
  std::vector<thalweg_added_tile> added;
  std::vector<thalweg_tile> restitched;
  std::vector<thalweg_tile> drawn;
  thalweg_changes changes;
};

namespace thalweg {

// Returns the code of a status, and keeps its message for thalweg_error.
thalweg_status Return(const absl::Status& status);

// Returns the error for a null argument of a function.
thalweg_status Refuse(const char* function);

inline SpaceVector SpaceFromC(const thalweg_space_vector& v) { return {v.x, v.y, v.z}; }
inline thalweg_space_vector SpaceToC(const SpaceVector& v) { return {v.x, v.y, v.z}; }

}  // namespace thalweg
