#include "proto/command_line/run.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <new>
#include <system_error>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "proto/wire/invalid.h"
#include "proto/wire/nearest_name.h"

namespace thalweg::command_line {
namespace {

// CLI11's help without the lists of options that exclude or need each other, which hide the text.
// An argument that is also an option is required once.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool positional) const override {
    std::string line = CLI::Formatter::make_option(option, positional);
    if (positional || !option->get_positional()) return line;
    return absl::StrReplaceAll(line, {{" REQUIRED", "         "}});
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string words = CLI::Formatter::make_option_opts(option);
    return words.substr(0, std::min(words.find(" Excludes:"), words.find(" Needs:")));
  }
};

// The command that the words name, or the program itself.
const CLI::App& CommandOf(const CLI::App& app) {
  const std::vector<CLI::App*> named = app.get_subcommands();
  return named.empty() ? app : *named.front();
}

std::string NameOf(const CLI::App& app, const CLI::App& command) {
  return &command == &app ? app.get_name() : absl::StrCat(app.get_name(), " ", command.get_name());
}

std::string CommandsOf(const CLI::App& app) {
  return absl::StrJoin(app.get_subcommands({}), ", ", [](std::string* out, const CLI::App* each) {
    absl::StrAppend(out, each->get_name());
  });
}

std::vector<std::string> NamesOfOptions(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    // Without a group: an option that the help does not show, such as one that was removed.
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back(absl::StrCat("--", name));
  }
  return names;
}

std::string Invalid(absl::string_view what, absl::string_view expected, absl::string_view got) {
  return std::string(wire::Invalid(what, expected, got).message());
}

// The name of RefuseOptions's error, which only CLI11's base class has.
constexpr char kOptionsRefused[] = "ParseError";

// Describes a word that no option takes.
std::string UnknownWord(const CLI::App& app, const CLI::App& command,
                        const std::vector<std::string>& words) {
  const auto is_option = [](const std::string& word) { return absl::StartsWith(word, "-"); };
  const auto option = std::find_if(words.begin(), words.end(), is_option);
  if (option == words.end() && &command == &app) {
    return Invalid("command", absl::StrCat("one of ", CommandsOf(app)), words.front());
  }
  const bool found = option != words.end();
  const std::string text =
      Invalid(found ? "option" : "argument",
              absl::StrCat("one that '", NameOf(app, command), " --help' lists"),
              found ? *option : words.front());
  if (!found) return text;
  return text + wire::DidYouMean(option->substr(0, option->find('=')), NamesOfOptions(command));
}

// CLI11's message in the form of our errors. Its first word is the option, if it names one.
std::string WhatIsWrong(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = CommandOf(app);
  const std::vector<std::string> unknown = app.remaining(true);
  if (!unknown.empty()) return UnknownWord(app, command, unknown);
  const std::string message = error.what();
  const std::string kind = error.get_name();
  const std::string name = message.substr(0, message.find_first_of(": "));
  const std::string last_word = message.substr(message.rfind(' ') + 1);
  if (kind == kOptionsRefused) return message;
  if (kind == "ValidationError") return absl::StrCat("invalid ", message);
  if (kind == "ExcludesError") return absl::StrCat(name, " can't be used with ", last_word);
  if (kind == "RequiresError") return absl::StrCat(name, " needs ", last_word);
  if (kind == "RequiredError" && &command == &app) {
    return absl::StrCat("a command is missing: expected one of ", CommandsOf(app));
  }
  if (kind == "RequiredError") return absl::StrCat(name, " is missing");
  if (absl::EndsWith(message, " missing")) return absl::StrCat(name, " needs a value");
  if (kind == "ArgumentMismatch") return Invalid(name, "one value", last_word);
  // A flag with a value: "Could not convert: --json = maybe".
  const std::vector<std::string> words = absl::StrSplit(message, ' ');
  if (kind == "ConversionError") return Invalid(words.at(3), "true or false", last_word);
  return absl::StrCat("invalid arguments: ", message);
}

// What to do about an error of the system.
const char* RemedyOf(const std::error_code& code) {
  // What makes threads says this, for want of memory too.
  if (code == std::errc::resource_unavailable_try_again) {
    return "can't start more threads; raise the limit of processes (ulimit -u, TasksMax) or of "
           "memory (ulimit -v), or set --threads lower";
  }
  if (code == std::errc::too_many_files_open || code == std::errc::too_many_files_open_in_system) {
    return "can't open more files; raise the limit of open files (ulimit -n, LimitNOFILE)";
  }
  if (code == std::errc::not_enough_memory) {
    return "out of memory; raise its limit (ulimit -v, MemoryMax)";
  }
  return "the system refused an operation";
}

}  // namespace

std::optional<int> Parse(CLI::App& app, int argc, const char* const* argv) {
  const auto formatter = std::make_shared<HelpFormatter>();
  app.formatter(formatter);
  for (CLI::App* command : app.get_subcommands({})) command->formatter(formatter);
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    // Help and version are exceptions too.
    if (error.get_exit_code() == 0) return app.exit(error);
    std::cerr << app.get_name() << ": " << WhatIsWrong(app, error) << "\nRun '"
              << NameOf(app, CommandOf(app)) << " --help' for its options.\n";
    return kUsage;
  }
}

void Refuse(const std::string& option, const std::string& expected, const std::string& got) {
  throw CLI::ValidationError(option, absl::StrCat("expected ", expected, ", got ", got));
}

void RefuseOptions(const std::string& text) {
  throw CLI::ParseError(text, CLI::ExitCodes::ValidationError);
}

// Prints without allocating: there may be no memory.
int RunMain(const std::string& program, absl::FunctionRef<int()> run) {
  try {
    return run();
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "%s: %s (%s)\n", program.c_str(), RemedyOf(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(),
                 RemedyOf(std::make_error_code(std::errc::not_enough_memory)));
  }
  return kFailure;
}

}  // namespace thalweg::command_line
