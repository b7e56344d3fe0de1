// Where JSON is not the text of a message, and where its fields are.
#pragma once

#include <google/protobuf/descriptor.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace thalweg::text {

// What a reading of JSON as a message's text finds. Lines and columns count from 1, columns in
// bytes.
struct JsonReading {
  // "line 3, column 5: rules[0]: LevelRule has no field 'stage'; did you mean 'stages'?". Unknown
  // fields, unknown values of enumerations, values of a wrong type or out of its range, a second
  // kind where there is a choice of one; and wrong syntax, which ends the reading.
  std::vector<std::string> mistakes;
  // "line 3, column 5" of each field's name and each list's item, by its path.
  std::map<std::string, std::string> places;
};
JsonReading ReadJson(const std::string& json, const google::protobuf::Descriptor& type);

// Returns the first mistake, if ReadJson finds one. For JSON that Protobuf has refused: Protobuf
// does not say where it stopped.
std::optional<std::string> FindJsonMistake(const std::string& json,
                                           const google::protobuf::Descriptor& type);

// JSON whose comments (// and /* */) are blanks, so that places stay where they are.
std::string WithoutComments(std::string json);

}  // namespace thalweg::text
