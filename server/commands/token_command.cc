#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "proto/command_line/options.h"
#include "server/access/tokens_file.h"
#include "server/cache/key_file.h"
#include "server/commands/commands.h"
#include "server/commands/logging.h"

namespace thalweg::commands {
namespace {

int MakeFile(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown)) {
    LogError(absl::AlreadyExistsError("--out: " + path + " already exists"));
    return kFailure;
  }
  const absl::Status made = cache::MakeKeyFile(path);
  if (!made.ok()) LogError(made);
  return made.ok() ? kSuccess : kFailure;
}

int MakeCacheKey(const std::string& path) {
  if (!path.empty()) return MakeFile(path);
  const int printed = std::printf("%s\n", cache::KeyLine(cache::RandomMacKey()).c_str());
  return printed > 0 && std::fflush(stdout) == 0 ? kSuccess : kFailure;
}

struct TokenOptions {
  access::Grant grant;
  std::string scopes = "read";
};

int MakeToken(const TokenOptions& options) {
  const auto scopes = access::ScopeSet::Parse(options.scopes);
  if (!scopes.ok()) {
    LogError(scopes.status());
    return kUsage;
  }
  access::Grant grant = options.grant;
  grant.scopes = *scopes;
  const std::string token = access::MakeToken();
  grant.hash = access::HashOf(token);
  const int printed = std::printf(
      "# The token, for its owner; it is kept nowhere else:\n%s\n"
      "# The line for the tokens file of `thalwegd serve --tokens FILE`:\n%s\n",
      token.c_str(), access::TokenLine(grant).c_str());
  return printed > 0 && std::fflush(stdout) == 0 ? kSuccess : kFailure;
}

template <typename Limit, typename Number>
CLI::Option* AddLimit(CLI::App& command, const char* name, Limit& limit, Number max,
                      const char* text) {
  return command.add_option(name, limit, text)
      ->type_name("N")
      ->check(command_line::InRange(Number{0}, max));
}

}  // namespace

void AddCacheKeyCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("cache-key", "Make the key that signs tiles shared through memcached");
  const auto path = std::make_shared<std::string>();
  command
      ->add_option("--out", *path,
                   "File to write the key to, which only its owner can read (default: print the "
                   "key, as a line for another key file)")
      ->type_name("FILE");
  command->callback([path, exit_code] { *exit_code = MakeCacheKey(*path); });
}

void AddTokenCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("token", "Make a token, and print it with its line for the tokens file");
  const auto options = std::make_shared<TokenOptions>();
  command->add_option("--name", options->grant.name, "Name of its owner, for logs and messages")
      ->type_name("NAME")
      ->required();
  command
      ->add_option("--scopes", options->scopes,
                   "Scopes of the token, with commas between: read, bake, create-worlds, admin")
      ->type_name("SCOPES")
      ->capture_default_str();
  access::Grant& grant = options->grant;
  AddLimit(*command, "--calls-per-s", grant.calls_per_s, 1e12, "Max calls a second; 0: no limit")
      ->capture_default_str();
  AddLimit(*command, "--cells-per-s", grant.cells_per_s, 1e15,
           "Max generated cells a second (a tile has 65,536, and as many for each coarser tile "
           "that is computed for it; tiles from a cache are free); 0: no limit")
      ->capture_default_str();
  AddLimit(*command, "--max-calls", grant.max_calls, 1'000'000,
           "Max calls at a time; 0: no limit (default: the server's --max-calls-per-caller)");
  AddLimit(*command, "--max-streams", grant.max_streams, 1'000'000,
           "Max streams and sessions among those calls; 0: no limit (default: a quarter of the "
           "server's --max-calls-per-caller)");
  command->callback([options, exit_code] { *exit_code = MakeToken(*options); });
}

}  // namespace thalweg::commands
