// Messages as text that people write: JSON, or Protobuf's text form.
#pragma once

#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::text {

// The shortest decimal that reads back as the same number.
std::string Decimal(double value);

// How many bytes of a caller's text an error shows.
inline constexpr std::size_t kMostShown = 96;

// A caller's text in quotes, escaped and cut after kMostShown bytes.
std::string Quoted(const std::string& text);

// "rules" and "to_level" make "rules.to_level"; an empty path adds nothing.
std::string FieldPath(const std::string& path, const std::string& field);

// "rules" and 2 make "rules[2]".
std::string ItemPath(const std::string& path, int index);

// How deep the nodes of a specification may be in each other. Far below the depth at which Protobuf
// stops reading and printing (100 messages, JSON fewer), and far above what people write: presets
// have 5 at most.
inline constexpr int kMaxNodeDepth = 16;

// INVALID_ARGUMENT if nodes are in each other more than kMaxNodeDepth deep. Goes no deeper itself,
// so that it may be the first to look at a specification from outside.
absl::Status CheckNodeDepth(const v1::WorldSpec& spec);

// Reads JSON. INVALID_ARGUMENT names the first mistake's line and column, and for an unknown name
// the nearest known one or all of them; the message is then partly filled.
absl::Status FromJson(const std::string& json, google::protobuf::Message& message);

// Reads text form. Errors are those of FromJson. `locations`, unless null, gets the location of
// each field.
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
