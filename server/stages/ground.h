// Ground finer than hillslopes, from the parent's ground alone.
#pragma once

#include "server/stages/ground_forms.h"
#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/course.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct GroundStage {
  // It makes the level's first ground itself.
  static constexpr bool kStartsLevel = true;

  // ground_slopes sums the parent's heights up to 4 vertices to each side of the parent's vertices
  // beside a vertex, of which one may be a vertex after it. (Displaced places are up to 0.7 away,
  // and are read up to 2 beyond.) The first level looks for rivers source_margin vertices away.
  int ParentReach() const { return has_rivers && is_first ? source_margin + 1 : 5; }

  bool is_first = false;    // the parent has no ground of this kind
  bool has_rivers = false;  // rivers run over it: `course` has their numbers
  int source_margin = 0;    // sources that a window keeps to each side of its own
  kernels::CourseParams course{};
  kernels::GroundParams params{};
  GroundForms forms;
};

GroundStage Compile(const v1::Ground& ground, const LevelNumbers& level);
int Reach(const GroundStage& stage);
void Record(const GroundStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
