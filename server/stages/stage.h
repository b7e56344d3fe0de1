// A stage of any kind. The kinds are in stages.inc.
#pragma once

#include "server/stages/kinds.h"
#include "server/stages/layer.h"
#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

// The build writes kinds.h from the list of kinds, with the header of each.
using Stage = Kinds;

// Compiles a normalised stage, which has a kind and only numbers within their ranges.
Stage Compile(const v1::Stage& stage, const LevelNumbers& level);

// The layers that it reads and writes; sea: whether the world has one.
LayerAccess AccessOf(const v1::Stage& stage, bool sea);

// How many cells away a value can influence a vertex's result: an upper bound, proved beside each
// definition. With a halo of the stages' sum, a region equals the infinite field.
int Reach(const Stage& stage);

// How many cells beyond the parent vertices beside a vertex its result depends on the parent: an
// upper bound, proved beside each definition. 0 for stages that read no parent, and for those whose
// reach has it.
int ParentReach(const Stage& stage);

// Whether the stage makes a level's first ground from the parent's; then it is the level's first.
bool StartsLevel(const Stage& stage);
bool StartsLevel(const v1::Stage& stage);

// Records its dispatches, after those of the stages before.
void Record(const Stage& stage, Recorder& recorder);

}  // namespace thalweg::stages
