#include "proto/text/message_text.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/util/json_util.h>

#include "absl/strings/str_cat.h"

namespace thalweg::text {
namespace {

namespace pb = google::protobuf;

// As deep as Protobuf reads messages from bytes; it reads text of any depth unless told.
constexpr int kMaxMessageDepth = 100;

// Keeps the first mistake, with its line and column counted from 1.
class FirstMistake : public pb::io::ErrorCollector {
 public:
  void AddError(int line, pb::io::ColumnNumber column, const std::string& message) override {
    if (!message_.empty()) return;
    message_ = message;
    location_ = absl::StrCat("line ", line + 1, ", column ", column + 1, ": ");
  }

  const std::string& message() const { return message_; }
  std::string WithLocation() const { return location_ + message_; }

 private:
  std::string message_;
  std::string location_;
};

absl::StatusOr<std::string> Printed(const pb::Message& message, bool add_whitespace) {
  pb::util::JsonPrintOptions options;
  options.add_whitespace = add_whitespace;
  options.preserve_proto_field_names = true;
  std::string json;
  const pb::util::Status status = pb::util::MessageToJsonString(message, &json, options);
  if (status.ok()) return json;
  return absl::InternalError(absl::StrCat("print ", message.GetDescriptor()->name(),
                                          " as JSON: ", status.message().ToString()));
}

}  // namespace

absl::Status FromJson(const std::string& json, pb::Message& message) {
  const pb::util::Status status = pb::util::JsonStringToMessage(json, &message);
  if (status.ok()) return absl::OkStatus();
  // Protobuf draws the location in lines below its message.
  const std::string text = status.message().ToString();
  return absl::InvalidArgumentError(
      absl::StrCat("invalid JSON: ", text.substr(0, text.find('\n'))));
}

absl::Status FromText(const std::string& text, pb::Message& message,
                      pb::TextFormat::ParseInfoTree* locations) {
  FirstMistake mistake;
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&mistake);
  parser.WriteLocationsTo(locations);
  parser.SetRecursionLimit(kMaxMessageDepth);
  if (parser.ParseFromString(text, &message)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("invalid text: ", mistake.WithLocation()));
}

absl::Status FieldFromText(const std::string& text, const pb::FieldDescriptor& field,
                           pb::Message& message) {
  FirstMistake mistake;
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&mistake);
  if (parser.ParseFieldValueFromString(text, &field, &message)) return absl::OkStatus();
  return absl::InvalidArgumentError(mistake.message());
}

absl::StatusOr<std::string> ToJson(const pb::Message& message) { return Printed(message, true); }
absl::StatusOr<std::string> ToJsonLine(const pb::Message& message) {
  return Printed(message, false);
}

}  // namespace thalweg::text
