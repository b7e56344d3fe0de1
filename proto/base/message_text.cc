#include "proto/base/message_text.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/util/json_util.h>

#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "proto/base/json_mistake.h"
#include "proto/base/unknown_name.h"

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

// Keeps the first mistake, with its line and column counted from 0.
class FirstMistake : public pb::io::ErrorCollector {
 public:
  void AddError(int line, pb::io::ColumnNumber column, const std::string& message) override {
    if (!message_.empty()) return;
    message_ = message;
    line_ = line;
    column_ = column;
  }

  const std::string& message() const { return message_; }
  int line() const { return line_; }
  int column() const { return column_; }

 private:
  std::string message_;
  int line_ = 0;
  int column_ = 0;
};

// An enumeration's field of this name in a message or in those within it. Null if there is none, or
// if several have different values.
const pb::FieldDescriptor* EnumField(const pb::Descriptor& type, const std::string& name,
                                     std::set<const pb::Descriptor*>& seen) {
  if (!seen.insert(&type).second) return nullptr;
  const pb::FieldDescriptor* found = nullptr;
  for (int i = 0; i < type.field_count(); ++i) {
    const pb::FieldDescriptor& field = *type.field(i);
    const pb::FieldDescriptor* candidate = nullptr;
    if (field.enum_type() != nullptr && field.name() == name) candidate = &field;
    if (field.message_type() != nullptr) candidate = EnumField(*field.message_type(), name, seen);
    if (candidate == nullptr) continue;
    if (found != nullptr && found->enum_type() != candidate->enum_type()) return nullptr;
    found = candidate;
  }
  return found;
}

// A mistake in the words of our errors.
struct Worded {
  std::string text;
  // The name that is wrong. Protobuf's location is that of the word after it.
  std::string name;
};

// Words an error of Protobuf's reader of text, which names the wrong thing in quotes.
Worded WordedOf(const std::string& message, const pb::Descriptor& root) {
  const std::vector<std::string> parts = absl::StrSplit(message, '"');
  if (parts.size() == 5 && parts[2] == " has no field named ") {
    const pb::Descriptor* const type = root.file()->pool()->FindMessageTypeByName(parts[1]);
    if (type != nullptr) return {UnknownField(*type, parts[3]), parts[3]};
  }
  if (parts.size() == 5 && parts[0] == "Unknown enumeration value of ") {
    std::set<const pb::Descriptor*> seen;
    const pb::FieldDescriptor* const field = EnumField(root, parts[3], seen);
    if (field != nullptr) return {UnknownValue(*field, parts[1]), parts[1]};
  }
  if (parts.size() == 5 && parts[0] == "Invalid value for boolean field ") {
    return {absl::StrCat(parts[1], ": expected true or false, got ", Quoted(parts[3])), parts[3]};
  }
  // The reader's words for types of values.
  constexpr std::pair<const char*, const char*> kTypes[] = {
      {"Expected integer or identifier, got: ", "a name or a whole number"},
      {"Expected integer, got: ", "a whole number"},
      {"Expected double, got: ", "a number"},
      {"Expected string, got: ", "text in quotes"},
      {"Expected identifier, got: ", "a name"},
  };
  for (const auto& [begin, expected] : kTypes) {
    absl::string_view got = message;
    if (!absl::ConsumePrefix(&got, begin)) continue;
    return {absl::StrCat("expected ", expected, ", got ",
                         got.empty() ? "the end" : got.substr(0, kMostShown)),
            ""};
  }
  return {message, ""};
}

// Moves a location of Protobuf's, before which the name is, to the name.
void MoveTo(const std::string& name, const std::string& text, int& line, int& column) {
  if (name.empty()) return;
  // As the reader counts: a tab goes to the next multiple of 8.
  constexpr int kTab = 8;
  const auto step = [](char c, int& at_line, int& at_column) {
    at_column += c == '\t' ? kTab - at_column % kTab : 1;
    if (c == '\n') ++at_line, at_column = 0;
  };
  std::size_t end = 0;
  for (int l = 0, c = 0; end < text.size() && (l < line || (l == line && c < column)); ++end) {
    step(text[end], l, c);
  }
  const std::size_t begin = text.substr(0, end).rfind(name);
  if (begin == std::string::npos) return;
  line = column = 0;
  for (std::size_t i = 0; i < begin; ++i) step(text[i], line, column);
}

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
  return absl::StrCat("'", absl::CHexEscape(text.substr(0, kMostShown)), "'");
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
  return absl::InvalidArgumentError(
      absl::StrCat(*path, ": the world nests more than ", kMaxNodeDepth, " nodes deep"));
}

absl::Status FromJson(const std::string& json, pb::Message& message) {
  const pb::util::Status status = pb::util::JsonStringToMessage(json, &message);
  if (status.ok()) return absl::OkStatus();
  std::optional<std::string> mistake = FindJsonMistake(json, *message.GetDescriptor());
  if (!mistake) {
    // Protobuf draws the location in lines below its message.
    const std::string text = status.message().ToString();
    mistake = text.substr(0, text.find('\n'));
  }
  return absl::InvalidArgumentError(absl::StrCat("invalid JSON: ", *mistake));
}

absl::Status FromText(const std::string& text, pb::Message& message,
                      pb::TextFormat::ParseInfoTree* locations) {
  FirstMistake mistake;
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&mistake);
  parser.WriteLocationsTo(locations);
  parser.SetRecursionLimit(kMaxMessageDepth);
  if (parser.ParseFromString(text, &message)) return absl::OkStatus();
  const Worded worded = WordedOf(mistake.message(), *message.GetDescriptor());
  int line = mistake.line();
  int column = mistake.column();
  MoveTo(worded.name, text, line, column);
  return absl::InvalidArgumentError(
      absl::StrCat("invalid text: line ", line + 1, ", column ", column + 1, ": ", worded.text));
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
