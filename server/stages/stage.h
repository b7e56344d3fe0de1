// A stage of any kind. The kinds are in stages.inc.
#pragma once

#include <string>
#include <vector>

#include "server/stages/kinds.h"
#include "server/stages/layer_access.h"
#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

// One of the kinds: kinds.h is written from their list, with each one's header.
using Stage = Kinds;

// Compiles a normalised stage: it has a kind, and every number is within its range.
Stage Compile(const v1::Stage& stage, const LevelNumbers& level);

// The layers that it needs and makes; sea: whether the world has one.
LayerAccess AccessOf(const v1::Stage& stage, bool sea);

// Whether it handles the edges between a planet's faces, and the lengths of cells there.
bool RunsOnSphere(const Stage& stage);
// The names of the kinds that run on spheres.
std::vector<std::string> KindsOnSpheres();

// How far, in cells, a vertex's result may depend on values before the stage: an upper bound,
// proved beside its definition. A region computed with a halo of the sum equals the infinite field.
int Reach(const Stage& stage);

// Its dispatches, after those of the stages before it.
void Record(const Stage& stage, Recorder& recorder);

}  // namespace thalweg::stages
