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
  CLI::App* command =
      app.add_subcommand("token", "Make a token, and print it with its line for the tokens file");
  const auto options = std::make_shared<TokenOptions>();
  command->add_option("--name", options->grant.name, "Name of its owner, for logs and messages")
      ->required();
  command
      ->add_option("--scopes", options->scopes,
                   "Scopes of the token, with commas between: read, bake, create-worlds, admin")
      ->capture_default_str();
  command
      ->add_option("--calls-per-s", options->grant.calls_per_s, "Max calls a second; 0: no limit")
      ->check(CLI::Range(0.0, 1e12))
      ->capture_default_str();
  command
      ->add_option(
          "--cells-per-s", options->grant.cells_per_s,
          "Max generated cells a second (a tile has 65,536, and as many for each coarser tile "
          "that is computed for it; tiles from a cache are free); 0: no limit")
      ->check(CLI::Range(0.0, 1e15))
      ->capture_default_str();
  command
      ->add_option("--max-calls", options->grant.max_calls,
                   "Max calls at a time; 0: no limit (default: the server's "
                   "--max-calls-per-caller)")
      ->check(CLI::Range(0, 1'000'000));
  command
      ->add_option("--max-streams", options->grant.max_streams,
                   "Max streams and sessions among them; 0: no limit (default: the server's "
                   "--max-streams-per-caller)")
      ->check(CLI::Range(0, 1'000'000));
  command->callback([options, exit_code] { *exit_code = MakeToken(*options); });
}

}  // namespace thalweg::commands
