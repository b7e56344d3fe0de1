#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "server/access/tokens_file.h"
#include "server/commands/commands.h"
#include "server/commands/logging.h"

namespace thalweg::commands {
namespace {

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

}  // namespace

void AddTokenCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "token", "Make a token, and print it with its line for the file of tokens");
  const auto options = std::make_shared<TokenOptions>();
  command->add_option("--name", options->grant.name, "Whose it is; logs and messages say it")
      ->required();
  command
      ->add_option("--scopes", options->scopes,
                   "What it may do, with commas between: read, bake, create-worlds, admin")
      ->capture_default_str();
  command
      ->add_option("--calls-per-s", options->grant.calls_per_s,
                   "Calls a second that it may make; 0: no limit")
      ->check(CLI::Range(0.0, 1e12))
      ->capture_default_str();
  command
      ->add_option(
          "--cells-per-s", options->grant.cells_per_s,
          "Cells a second that it may have generated (a tile has 65,536, and as many of each "
          "ancestor that must be computed for it; one that is in the cache costs nothing); 0: no "
          "limit")
      ->check(CLI::Range(0.0, 1e15))
      ->capture_default_str();
  command
      ->add_option("--max-calls", options->grant.max_calls,
                   "Calls at a time that it may have; 0: no limit. None: as the server's "
                   "--max-calls-per-caller says")
      ->check(CLI::Range(0, 1'000'000));
  command
      ->add_option("--max-streams", options->grant.max_streams,
                   "Streams and sessions of them; 0: no limit. None: as the server's "
                   "--max-streams-per-caller says")
      ->check(CLI::Range(0, 1'000'000));
  command->callback([options, exit_code] { *exit_code = MakeToken(*options); });
}

}  // namespace thalweg::commands
