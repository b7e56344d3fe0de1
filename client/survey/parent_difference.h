// How far a level's ground is from its parent's.
#pragma once

#include <cstdint>

#include "client/survey/grid.h"

namespace thalweg::survey {

// The vertices of a parent that a row of its child's vertices shares: parent vertex i is child
// vertex 2 i.
struct SharedVertices {
  // The first of the parent's vertices.
  std::int64_t first = 0;
  int count = 0;
  // The position of that vertex among the child's.
  int offset = 0;
};

// Returns what `count` vertices of the child from `first` on, at least 1, share with the parent.
SharedVertices ShareWithParent(std::int64_t first, int count);

// Child minus parent, in metres.
struct ParentDifference {
  double mean_m = 0;
  double rms_m = 0;
  // The largest absolute difference.
  double max_m = 0;
};

// Compares shared vertices. The parent's first vertex is the child's at offset_x and offset_y. The
// parent's grid has at least one vertex, and the child has all of them.
ParentDifference CompareWithParent(const Grid<double>& child_m, const Grid<double>& parent_m,
                                   int offset_x, int offset_y);

}  // namespace thalweg::survey
