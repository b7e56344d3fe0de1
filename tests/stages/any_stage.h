// Stages of any kind for tests, by reflection over their messages: a new kind needs no code here.
#pragma once

#include <google/protobuf/descriptor.h>

#include <cstdint>
#include <random>
#include <vector>

#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

// The kinds of stages: the members of v1::Stage's `kind`.
std::vector<const google::protobuf::FieldDescriptor*> EveryKind();

// A stage of a kind with random numbers, each within its range: at most double its default, and
// counts at most half of it, so that little is computed. Every other number is left to its default.
// The same on every machine.
v1::Stage AnyStage(std::mt19937_64& random, const google::protobuf::FieldDescriptor& kind);

}  // namespace thalweg::stages
