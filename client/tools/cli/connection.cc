#include "client/tools/cli/connection.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/tools/cli/files.h"
#include "proto/command_line/options.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

constexpr char kGroup[] = "Connection";

// About a hundred certificates; a token with blanks around it.
constexpr std::size_t kMaxPemBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxTokenBytes = 8'192;

CLI::Option* AddFile(CLI::App& command, const char* name, std::string& path, const char* text) {
  return command.add_option(name, path, text)->type_name("FILE")->group(kGroup);
}

absl::StatusOr<std::string> ReadIfNamed(const std::string& path) {
  if (path.empty()) return std::string();
  return ReadInputFile(path, kMaxPemBytes);
}

// There is no option for the token itself: other users of the machine could read it.
absl::StatusOr<std::string> ReadToken(const std::string& path) {
  if (path.empty()) {
    const char* token = std::getenv("THALWEG_TOKEN");
    return token == nullptr ? std::string() : std::string(token);
  }
  THALWEG_ASSIGN_OR_RETURN(const std::string text, ReadInputFile(path, kMaxTokenBytes));
  const std::string token(absl::StripAsciiWhitespace(text));
  if (token.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("the file ", path, " has no token"));
  }
  return token;
}

}  // namespace

const std::map<std::string, Layer>& LayersByName() {
  static const std::map<std::string, Layer> layers = [] {
    std::map<std::string, Layer> by_name;
    for (const LayerDescription& layer : AllLayers()) by_name.emplace(layer.name, layer.layer);
    return by_name;
  }();
  return layers;
}

std::string LayerList() {
  std::string list = "Layers (a world has those that 'thalweg info' lists):\n";
  for (const LayerDescription& layer : AllLayers()) {
    absl::StrAppendFormat(&list, "  %-16s %-5s  %s\n", std::string(layer.name),
                          std::string(layer.unit), std::string(layer.text));
  }
  return list;
}

CLI::Option* AddPlace(CLI::App& command, const std::string& name, const std::string& text,
                      std::optional<LatLong>& place) {
  return command_line::AddNumbers<2>(
      command, name, "LAT,LON", text, [name, &place](const std::array<double, 2>& numbers) {
        place = LatLong{numbers[0], numbers[1]};
        // Written so that NaN fails too.
        if (std::abs(place->latitude) <= 90 && std::abs(place->longitude) <= 180) return;
        command_line::Refuse(name, "LAT,LON with LAT of -90 to 90 and LON of -180 to 180",
                             absl::StrCat(numbers[0], ",", numbers[1]));
      });
}

CLI::Option* AddWorld(CLI::App& command, std::string& world) {
  return command.add_option("--world", world, "World by name, or by id in hexadecimal")
      ->type_name("NAME");
}

void AddConnection(CLI::App& command, ConnectionArguments& connection) {
  connection.server = "127.0.0.1:7070";
  command.add_option("--server", connection.server, "Address of the server")
      ->type_name("HOST:PORT")
      ->envname("THALWEG_SERVER")
      ->capture_default_str();
  command
      .add_flag("--tls", connection.tls,
                "Encrypt the connection; each of the next four options does so too")
      ->group(kGroup);
  AddFile(command, "--ca", connection.ca,
          "File of the roots of the server's certificate, PEM (default: the system's)");
  AddFile(command, "--cert", connection.cert,
          "File of a certificate to present to the server, PEM");
  AddFile(command, "--key", connection.key, "File of the certificate's key, PEM");
  command
      .add_option("--server-name", connection.server_name,
                  "Name in the server's certificate (default: the host of --server)")
      ->type_name("NAME")
      ->group(kGroup);
  AddFile(command, "--token-file", connection.token_file,
          "File of the token to send to the server (Env:THALWEG_TOKEN, the token itself)");
  command
      .add_flag("--token-in-clear", connection.token_in_clear,
                "Send the token to another machine even without TLS")
      ->group(kGroup);
}

absl::StatusOr<ClientOptions> ReadOptions(const ConnectionArguments& connection) {
  ClientOptions options;
  THALWEG_ASSIGN_OR_RETURN(options.token, ReadToken(connection.token_file));
  options.token_in_clear = connection.token_in_clear;
  const bool encrypted = connection.tls || !connection.ca.empty() || !connection.cert.empty() ||
                         !connection.key.empty() || !connection.server_name.empty();
  if (!encrypted) return options;
  options.tls.emplace();
  options.tls->server_name = connection.server_name;
  THALWEG_ASSIGN_OR_RETURN(options.tls->root_certificates, ReadIfNamed(connection.ca));
  THALWEG_ASSIGN_OR_RETURN(options.tls->certificate, ReadIfNamed(connection.cert));
  THALWEG_ASSIGN_OR_RETURN(options.tls->key, ReadIfNamed(connection.key));
  return options;
}

}  // namespace thalweg::cli
