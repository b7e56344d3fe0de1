// Where JSON is not the text of a message.
#pragma once

#include <google/protobuf/descriptor.h>

#include <optional>
#include <string>

namespace thalweg::text {

// Returns the first mistake, if this finds one: "line 3, column 5: rules[0]: LevelRule has no field
// 'stage'; did you mean 'stages'?". Lines and columns count from 1, columns in bytes. Finds wrong
// syntax, unknown fields, unknown values of enumerations, and values of a wrong type or out of its
// range. For JSON that Protobuf has refused: Protobuf does not say where it stopped.
std::optional<std::string> FindJsonMistake(const std::string& json,
                                           const google::protobuf::Descriptor& type);

}  // namespace thalweg::text
