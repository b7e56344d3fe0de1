// Stages of any kind for tests. They are made by reflection, so a new kind needs no code here.
#pragma once

#include <google/protobuf/descriptor.h>

#include <cstdint>
#include <random>
#include <vector>

#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

// The kinds of stages: the members of v1::Stage's `kind`.
std::vector<const google::protobuf::FieldDescriptor*> EveryKind();

// A stage of a kind with random numbers in their ranges, the same on every machine. Counts are at
// most half of their default, so that little is computed. Other numbers are at most double their
// default, and half of them keep it.
v1::Stage AnyStage(std::mt19937_64& random, const google::protobuf::FieldDescriptor& kind);

}  // namespace thalweg::stages
