#include "proto/base/message_text.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/util/json_util.h>

#include <limits>
#include <optional>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/wire/invalid.h"

namespace thalweg::text {
namespace {

namespace pb = google::protobuf;

// The path of fields to the first node that is too deep, if there is one.
std::optional<std::string> TooDeep(const pb::Message& message, int depth) {
  if (message.GetDescriptor() == v1::Node::descriptor() && ++depth > kMaxNodeDepth) return "";
  const pb::Reflection& reflection = *message.GetReflection();
  std::vector<const pb::FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const pb::FieldDescriptor* field : fields) {
    if (field->cpp_type() != pb::FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const pb::Message& inner = field->is_repeated()
                                     ? reflection.GetRepeatedMessage(message, field, i)
                                     : reflection.GetMessage(message, field);
      const std::optional<std::string> path = TooDeep(inner, depth);
      if (!path) continue;
      const std::string name =
          field->is_repeated() ? absl::StrCat(field->name(), "[", i, "]") : field->name();
      return path->empty() ? name : absl::StrCat(name, ".", *path);
    }
  }
  return std::nullopt;
}

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

std::string Decimal(double value) {
  std::string text;
  // Whole numbers below 10^9 are written without an exponent.
  constexpr int kFewestDigits = 9;
  for (int digits = kFewestDigits; digits <= std::numeric_limits<double>::max_digits10; ++digits) {
    text = absl::StrFormat("%.*g", digits, value);
    double read = 0;
    if (absl::SimpleAtod(text, &read) && read == value) break;
  }
  return text;
}

std::string Quoted(const std::string& text) {
  constexpr std::size_t kShown = 96;
  return absl::StrCat("'", absl::CHexEscape(text.substr(0, kShown)), "'");
}

std::string FieldPath(const std::string& path, const std::string& field) {
  return path.empty() ? field : absl::StrCat(path, ".", field);
}

std::string ItemPath(const std::string& path, int index) {
  return absl::StrCat(path, "[", index, "]");
}

absl::Status CheckNodeDepth(const v1::WorldSpec& spec) {
  const std::optional<std::string> path = TooDeep(spec, 0);
  if (!path) return absl::OkStatus();
  return wire::Invalid(*path, absl::StrCat("max ", kMaxNodeDepth, " nodes in each other"),
                       "one more");
}

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
