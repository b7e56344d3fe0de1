#include "server/commands/config_flags.h"

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "proto/text/message_text.h"
#include "proto/wire/status_macros.h"

namespace thalweg::commands {
namespace {

using google::protobuf::FieldDescriptor;

// Sets a field from a word of the command line. Gives the error, or nothing.
std::string SetField(ServerConfig& config, const FieldDescriptor& field, const std::string& word) {
  // Each field is checked by itself, so that the last of two flags may correct the first.
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    ServerConfig::GetReflection()->SetString(&config, &field, word);
  } else if (const absl::Status read = text::FieldFromText(word, field, config); !read.ok()) {
    return std::string(read.message());
  }
  return std::string(CheckField(config, field).message());
}

const char* TypeNameOf(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32:
      return "UINT";
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return "FLOAT";
    default:
      return "TEXT";
  }
}

std::string FlagOf(const FieldDescriptor& field) {
  return "--" + absl::StrReplaceAll(field.name(), {{"_", "-"}});
}

// A field's help, in which other fields are called by their flags.
std::string HelpOf(const FieldDescriptor& field) {
  std::vector<std::pair<std::string, std::string>> flags;
  for (int k = 0; k < ServerConfig::descriptor()->field_count(); ++k) {
    const FieldDescriptor& other = *ServerConfig::descriptor()->field(k);
    // Names of one word stand in sentences as words.
    if (!absl::StrContains(other.name(), '_')) continue;
    flags.emplace_back(" " + other.name(), " " + FlagOf(other));
  }
  return absl::StrReplaceAll(SettingOf(field).help(), flags);
}

void AddFlag(CLI::App& command, const FieldDescriptor& field,
             const std::shared_ptr<ConfigFlags>& flags) {
  const std::string name = FlagOf(field);
  std::string help = HelpOf(field);
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_BOOL) {
    // --name=false overrides the file.
    const auto set = [flags, &field](std::int64_t count) {
      ServerConfig::GetReflection()->SetBool(&flags->given, &field, count > 0);
    };
    command.add_flag_function(name, set, help)->group(SettingOf(field).group());
    return;
  }
  const auto set = [flags, &field, name](const std::string& word) {
    const std::string wrong = SetField(flags->given, field, word);
    if (!wrong.empty()) throw CLI::ValidationError(name, wrong);
  };
  for (int k = 0; k < SettingOf(field).choices_size(); ++k) {
    help += (k == 0 ? ": " : ", ") + SettingOf(field).choices(k);
  }
  CLI::Option* option =
      command.add_option_function<std::string>(name, set, help)->type_name(TypeNameOf(field));
  option->group(SettingOf(field).group());
  const std::string standard = TextOf(ServerConfig(), field);
  if (standard != "\"\"") option->default_str(absl::StrReplaceAll(standard, {{"\"", ""}}));
}

}  // namespace

std::shared_ptr<const ConfigFlags> AddConfigFlags(CLI::App& command) {
  auto flags = std::make_shared<ConfigFlags>();
  command.add_option("--config", flags->file,
                     "Read the configuration from this file, as `thalwegd config` prints it; "
                     "flags win over it");
  for (int k = 0; k < ServerConfig::descriptor()->field_count(); ++k) {
    AddFlag(command, *ServerConfig::descriptor()->field(k), flags);
  }
  return flags;
}

absl::StatusOr<ServerConfig> EffectiveConfig(const ConfigFlags& flags) {
  ServerConfig config;
  if (!flags.file.empty()) {
    THALWEG_ASSIGN_OR_RETURN(config, ReadConfig(flags.file));
  }
  config.MergeFrom(flags.given);
  THALWEG_RETURN_IF_ERROR(CheckConfig(config));
  return config;
}

}  // namespace thalweg::commands
