#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "server/cache/key_file.h"
#include "server/commands/commands.h"
#include "server/commands/logging.h"

namespace thalweg::commands {
namespace {

int MakeFile(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown)) {
    LogError(absl::AlreadyExistsError("invalid --out " + path +
                                      ": expected a new file, got one that exists"));
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

}  // namespace thalweg::commands
