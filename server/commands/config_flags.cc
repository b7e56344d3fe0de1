#include "server/commands/config_flags.h"

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "proto/base/message_text.h"
#include "proto/command_line/run.h"
#include "proto/wire/status_macros.h"

namespace thalweg::commands {
namespace {

using google::protobuf::FieldDescriptor;

// Sets a field from a word of the command line. Returns whether the field may have that value.
// Checks only this field, since it may need a flag that comes later.
bool SetField(ServerConfig& config, const FieldDescriptor& field, const std::string& word) {
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    ServerConfig::GetReflection()->SetString(&config, &field, word);
  } else if (!text::FieldFromText(word, field, config).ok()) {
    return false;
  }
  return CheckField(config, field).ok();
}

// The placeholder of a field's value in the help.
std::string ValueOf(const FieldDescriptor& field) {
  const Setting& known = SettingOf(field);
  return known.choices_size() > 0 ? absl::StrJoin(known.choices(), "|") : known.form();
}

std::string FlagOf(const std::string& name) {
  return "--" + absl::StrReplaceAll(name, {{"_", "-"}});
}

// A text with flags in place of the names of fields.
std::string WithFlags(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> flags;
  for (int k = 0; k < ServerConfig::descriptor()->field_count(); ++k) {
    const std::string& name = ServerConfig::descriptor()->field(k)->name();
    // A name of one word may be an ordinary word of a sentence.
    if (!absl::StrContains(name, '_')) continue;
    flags.emplace_back(name, FlagOf(name));
  }
  return absl::StrReplaceAll(text, flags);
}

void AddFlag(CLI::App& command, const FieldDescriptor& field,
             const std::shared_ptr<ConfigFlags>& flags) {
  const std::string name = FlagOf(field.name());
  const std::string help = WithFlags(SettingOf(field).help());
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_BOOL) {
    // --name=false overrides the file.
    const auto set = [flags, &field](std::int64_t count) {
      ServerConfig::GetReflection()->SetBool(&flags->given, &field, count > 0);
    };
    const auto check = [](const std::string& word) {
      const bool fits = word == "true" || word == "false";
      return fits ? std::string() : "expected true or false, got " + word;
    };
    command.add_flag_function(name, set, help)->group(SettingOf(field).group())->check(check);
    return;
  }
  const auto set = [flags, &field, name](const std::string& word) {
    if (SetField(flags->given, field, word)) return;
    command_line::Refuse(name, ExpectedOf(field), word);
  };
  CLI::Option* option =
      command.add_option_function<std::string>(name, set, help)->type_name(ValueOf(field));
  option->group(SettingOf(field).group());
  const std::string standard = TextOf(ServerConfig(), field);
  if (standard != "\"\"") option->default_str(absl::StrReplaceAll(standard, {{"\"", ""}}));
}

// Refuses a flag of an earlier version, with or without a value. The help does not show it.
void RefuseRemoved(CLI::App& command, const RemovedSetting& removed) {
  const std::string name = FlagOf(removed.name);
  const auto refuse = [name, &removed](const std::string&) {
    command_line::RefuseOptions(absl::StrCat(name, " was removed: ", WithFlags(removed.instead)));
  };
  command.add_option_function<std::string>(name, refuse)->expected(0, 1)->take_last()->group("");
}

}  // namespace

std::shared_ptr<const ConfigFlags> AddConfigFlags(CLI::App& command) {
  auto flags = std::make_shared<ConfigFlags>();
  command
      .add_option("--config", flags->file,
                  "Read the configuration from this file, as `thalwegd config` prints it; "
                  "flags win over it")
      ->type_name("FILE");
  for (int k = 0; k < ServerConfig::descriptor()->field_count(); ++k) {
    AddFlag(command, *ServerConfig::descriptor()->field(k), flags);
  }
  for (const RemovedSetting& removed : RemovedSettings()) RefuseRemoved(command, removed);
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
