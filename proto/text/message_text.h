// Messages as text that people write: JSON, or Protobuf's text form.
#pragma once

#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace thalweg::text {

// Reads JSON. INVALID_ARGUMENT names an unknown field, or the place of a mistake; the message is
// then partly filled.
absl::Status FromJson(const std::string& json, google::protobuf::Message& message);

// Reads text form. INVALID_ARGUMENT names the first mistake's line and column; the message is then
// partly filled. `locations`, unless null, gets the location of each field.
absl::Status FromText(const std::string& text, google::protobuf::Message& message,
                      google::protobuf::TextFormat::ParseInfoTree* locations = nullptr);

// Sets a field of a message from its value in text form. INVALID_ARGUMENT says what was expected.
absl::Status FieldFromText(const std::string& text, const google::protobuf::FieldDescriptor& field,
                           google::protobuf::Message& message);

// Returns JSON that FromJson reads, with the field names of the schema; indented, or in one line.
// INTERNAL if Protobuf can't print the message: its messages are too deep in each other, or a
// string is no UTF-8.
absl::StatusOr<std::string> ToJson(const google::protobuf::Message& message);
absl::StatusOr<std::string> ToJsonLine(const google::protobuf::Message& message);

}  // namespace thalweg::text
