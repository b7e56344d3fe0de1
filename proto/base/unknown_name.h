// Texts about names that a message's schema does not have.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>

namespace thalweg::text {

// "Hydrology has no field 'rian'; did you mean 'rain'?", or with all fields if none is near and
// they are few.
std::string UnknownField(const google::protobuf::Descriptor& type, const std::string& name);

// "scopes has no value 'RAED': expected one of READ, BAKE; did you mean 'READ'?"
std::string UnknownValue(const google::protobuf::FieldDescriptor& field, const std::string& value);

}  // namespace thalweg::text
