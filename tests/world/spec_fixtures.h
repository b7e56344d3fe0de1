// Specifications for tests: a small one, and random valid ones.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <functional>
#include <string>

#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// Nearly the smallest valid specification: a name, three levels, a noise and a rule.
v1::WorldSpec SmallSpec();

// SmallSpec, with fields in text form merged into it. Repeated fields are appended.
v1::WorldSpec SmallSpecWith(const std::string& text);

// A valid specification. Over many seeds, every kind of node and stage occurs, and some fields
// keep their defaults.
v1::WorldSpec RandomSpec(std::uint64_t seed);

// A number in a message: its path, and what ChangeNumber needs.
struct NumberField {
  std::string path;
  google::protobuf::Message* message;
  const google::protobuf::FieldDescriptor* field;
};

// Calls `visit` for every number and bool that is set in a message or in its parts.
void ForEachNumber(google::protobuf::Message& message,
                   const std::function<void(const NumberField&)>& visit);

// Gives the field another value.
void ChangeNumber(const NumberField& number);

}  // namespace thalweg::world
