#include "server/world/spec_text.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"

namespace thalweg::world {
namespace {

namespace pb = google::protobuf;

// Keeps the first mistake, with its place counted from 1.
class FirstMistake : public pb::io::ErrorCollector {
 public:
  void AddError(int line, pb::io::ColumnNumber column, const std::string& message) override {
    if (!message_.empty()) return;
    message_ = absl::StrCat("line ", line + 1, ", column ", column + 1, ": ", message);
  }

  const std::string& message() const { return message_; }

 private:
  std::string message_;
};

}  // namespace

absl::StatusOr<v1::WorldSpec> SpecFromJson(const std::string& json) {
  v1::WorldSpec spec;
  const pb::util::Status status = pb::util::JsonStringToMessage(json, &spec);
  if (status.ok()) return spec;
  // Protobuf draws the place below its message; the message alone is a line.
  const std::string message = status.message().ToString();
  return absl::InvalidArgumentError(
      absl::StrCat("read JSON: ", message.substr(0, message.find('\n'))));
}

absl::StatusOr<v1::WorldSpec> SpecFromText(const std::string& text) {
  v1::WorldSpec spec;
  FirstMistake mistake;
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&mistake);
  if (parser.ParseFromString(text, &spec)) return spec;
  return absl::InvalidArgumentError(absl::StrCat("read text: ", mistake.message()));
}

std::string JsonOfSpec(const v1::WorldSpec& spec) {
  pb::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.preserve_proto_field_names = true;
  std::string json;
  if (!pb::util::MessageToJsonString(spec, &json, options).ok()) std::abort();
  return json;
}

}  // namespace thalweg::world
