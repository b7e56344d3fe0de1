// Specifications for tests: a small one, and random valid ones.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <functional>
#include <string>

#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// The least that is a world: a name, a noise and a rule, in three levels.
v1::WorldSpec SmallSpec();

// SmallSpec with fields set from text form merged in; repeated fields grow.
v1::WorldSpec SmallSpecWith(const std::string& text);

// A valid specification: every kind of node and stage turns up, some fields are left to their
// defaults.
v1::WorldSpec RandomSpec(std::uint64_t seed);

// A number of a message: where it is, and how to change it.
struct NumberField {
  std::string path;
  google::protobuf::Message* message;
  const google::protobuf::FieldDescriptor* field;
};

// Calls back for every number and truth value that is set in a message, however deep.
void ForEachNumber(google::protobuf::Message& message,
                   const std::function<void(const NumberField&)>& visit);

// Another value than the field has.
void ChangeNumber(const NumberField& number);

}  // namespace thalweg::world
