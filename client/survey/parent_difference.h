// How far a level lies from its parent.
#pragma once

#include <cstdint>

#include "client/survey/grid.h"

namespace thalweg::survey {

// A run of a parent's vertices that a run of its child's shares: parent vertex i is child vertex 2
// i.
struct SharedVertices {
  // The parent's first one.
  std::int64_t first = 0;
  int count = 0;
  // Its position among the child's.
  int offset = 0;
};

// The vertices that `count` of the child's from `first` on, at least 1, share with the parent.
SharedVertices ShareWithParent(std::int64_t first, int count);

// Metres, child less parent.
struct ParentDifference {
  double mean_m = 0;
  double rms_m = 0;
  // Of the absolute difference.
  double max_m = 0;
};

// The difference at shared vertices. The parent's first vertex is the child's at offset_x and
// offset_y, and every one of the parent's, of which there is at least one, is shared.
ParentDifference CompareWithParent(const Grid<double>& child_m, const Grid<double>& parent_m,
                                   int offset_x, int offset_y);

}  // namespace thalweg::survey
