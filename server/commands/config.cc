#include "server/commands/config.h"

#include <google/protobuf/text_format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "proto/base/message_text.h"
#include "proto/base/unknown_name.h"
#include "proto/wire/host_port.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/access/reloaded.h"
#include "server/http/own_url.h"

namespace thalweg::commands {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::TextFormat;

constexpr std::size_t kCommentWidth = 96;

double NumberOf(const ServerConfig& config, const FieldDescriptor& field) {
  const auto& reflection = *ServerConfig::GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection.GetUInt32(config, &field);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection.GetDouble(config, &field);
    default:
      return 0;
  }
}

// The addresses that the server listens on for calls.
std::vector<std::string> ListenAddressesOf(const ServerConfig& config) {
  std::vector<std::string> addresses{config.listen()};
  if (!config.http().empty()) addresses.push_back(config.http());
  return addresses;
}

// The message about a mistake. If an unknown field is a removed setting, it says what to use
// instead.
std::string ExplainRemoved(const absl::string_view mistake) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const RemovedSetting& each : RemovedSettings()) {
    texts.emplace_back(text::UnknownField(*ServerConfig::descriptor(), each.name),
                       absl::StrCat(each.name, " was removed: ", each.instead));
  }
  return absl::StrReplaceAll(mistake, texts);
}

// A text as a comment of several lines.
std::string Comment(const std::string& text) {
  std::string comment;
  std::string line = "#";
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    if (line.size() + 1 + word.size() > kCommentWidth) {
      absl::StrAppend(&comment, line, "\n");
      line = "#";
    }
    absl::StrAppend(&line, " ", word);
  }
  return absl::StrCat(comment, line, "\n");
}

}  // namespace

const Setting& SettingOf(const FieldDescriptor& field) {
  return field.options().GetExtension(setting);
}

std::string TextOf(const ServerConfig& config, const FieldDescriptor& field) {
  std::string text;
  TextFormat::PrintFieldValueToString(config, &field, -1, &text);
  return text;
}

std::string ExpectedOf(const FieldDescriptor& field) {
  const Setting& known = SettingOf(field);
  if (known.choices_size() == 0) return absl::StrFormat("%.12g to %.12g", known.min(), known.max());
  return absl::StrCat("one of ", absl::StrJoin(known.choices(), ", "));
}

absl::Status CheckField(const ServerConfig& config, const FieldDescriptor& field) {
  const Setting& known = SettingOf(field);
  const std::string text = TextOf(config, field);
  const bool is_text = field.cpp_type() == FieldDescriptor::CPPTYPE_STRING;
  const auto is_value = [&](const std::string& choice) {
    return text == (is_text ? absl::StrCat("\"", choice, "\"") : choice);
  };
  const double number = NumberOf(config, field);
  // A NaN is in no range.
  const bool fits = known.choices_size() > 0
                        ? std::any_of(known.choices().begin(), known.choices().end(), is_value)
                        : !known.has_max() || (number >= known.min() && number <= known.max());
  if (fits) return absl::OkStatus();
  return wire::Invalid(field.name(), ExpectedOf(field), text);
}

const std::vector<RemovedSetting>& RemovedSettings() {
  static const auto* const settings = new std::vector<RemovedSetting>{
      {"answer_memory_mb", "use request_memory_mb, a third of which is for answers"},
      {"block", "blocks always have 256 cells on a side"},
      {"http_connections",
       "HTTP takes 10,000 connections, or as many as the limit of open files (ulimit -n, "
       "LimitNOFILE) has room for"},
      {"max_streams_per_caller",
       "use max_calls_per_caller, a quarter of which may be streams and sessions, or max_streams "
       "of a token"},
      {"no_reflection",
       "reflection shows only what is public; a proxy can refuse /grpc.reflection."},
      {"raster_cache_mb", "use cache_mb, a quarter of which is for pictures and rasters of http"},
      {"rpc_memory_mb", "use request_memory_mb, a third of which is for requests that arrive"},
      {"scratch_mb", "it follows from the kind of device"},
      {"session_memory_mb", "use request_memory_mb, a third of which is for sessions"},
  };
  return *settings;
}

absl::StatusOr<ServerConfig> ReadConfig(const std::string& path) {
  THALWEG_ASSIGN_OR_RETURN(const std::string text, access::ReadTextFile(path));
  ServerConfig config;
  TextFormat::ParseInfoTree locations;
  const absl::Status parsed = text::FromText(text, config, &locations);
  if (!parsed.ok()) {
    return absl::Status(parsed.code(), absl::StrCat("invalid config ", path, ": ",
                                                    ExplainRemoved(parsed.message())));
  }
  for (int k = 0; k < ServerConfig::descriptor()->field_count(); ++k) {
    const FieldDescriptor& field = *ServerConfig::descriptor()->field(k);
    if (!ServerConfig::GetReflection()->HasField(config, &field)) continue;
    const absl::Status checked = CheckField(config, field);
    if (checked.ok()) continue;
    return absl::Status(checked.code(), absl::StrCat("invalid config ", path, ": line ",
                                                     locations.GetLocation(&field, -1).line + 1,
                                                     ": ", checked.message()));
  }
  return config;
}

absl::Status CheckConfig(const ServerConfig& config) {
  if (config.tls_cert().empty() != config.tls_key().empty()) {
    return absl::InvalidArgumentError(config.tls_key().empty() ? "tls_cert needs tls_key"
                                                               : "tls_key needs tls_cert");
  }
  if (!config.tls_client_ca().empty() && config.tls_cert().empty()) {
    return absl::InvalidArgumentError("tls_client_ca needs tls_cert and tls_key");
  }
  if (!config.shared_cache().empty() && config.shared_cache_key_file().empty()) {
    return absl::InvalidArgumentError(
        "shared_cache needs shared_cache_key_file: make one with `thalwegd cache-key --out FILE`, "
        "and copy it to every server that shares tiles, since without it anyone who can reach "
        "memcached could forge tiles");
  }
  if (!config.tokens().empty() && !config.anonymous_scopes().empty()) {
    return absl::InvalidArgumentError(
        "anonymous_scopes can't be used with tokens: write `anonymous { scopes: READ }` into the "
        "tokens file instead");
  }
  THALWEG_RETURN_IF_ERROR(AnonymousScopesOf(config).status());
  THALWEG_RETURN_IF_ERROR(TrustedProxiesOf(config).status());
  THALWEG_RETURN_IF_ERROR(HttpUrlOf(config).status());
  THALWEG_RETURN_IF_ERROR(wire::ParseHostPort("listen", config.listen(), 0).status());
  for (const auto& [name, address] :
       {std::pair("http", &config.http()), std::pair("metrics_listen", &config.metrics_listen())}) {
    if (address->empty()) continue;
    THALWEG_RETURN_IF_ERROR(wire::ParseHostPort(name, *address, 0).status());
  }
  const bool guarded = !config.tls_cert().empty() || !config.tokens().empty();
  for (const std::string& address : ListenAddressesOf(config)) {
    if (guarded || config.allow_insecure() || wire::IsLoopback(address)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "other machines can reach ", address,
        ", and the server has no tls_cert and no tokens: add one of them, or allow_insecure"));
  }
  const bool proxied = !config.trusted_proxies().empty();
  if (!proxied && !config.allow_direct() && !wire::IsLoopback(config.listen())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "other machines can reach ", config.listen(),
        ", and trusted_proxies is empty: put a proxy in front and name it there, since callers "
        "without a token can use up gRPC's processors, or add allow_direct on a network that you "
        "trust"));
  }
  const std::string& metrics = config.metrics_listen();
  if (!metrics.empty() && !config.allow_insecure() && !wire::IsLoopback(metrics)) {
    return wire::Invalid(
        "metrics_listen", "an address that only this machine reaches",
        absl::StrCat(metrics, ": add allow_insecure to let everyone read the metrics"));
  }
  return absl::OkStatus();
}

absl::StatusOr<access::ScopeSet> AnonymousScopesOf(const ServerConfig& config) {
  if (!config.anonymous_scopes().empty()) {
    auto scopes = access::ScopeSet::Parse(config.anonymous_scopes());
    if (scopes.ok()) return scopes;
    return wire::Invalid("anonymous_scopes",
                         "read, bake, create-worlds and admin, with commas between",
                         absl::StrCat("'", config.anonymous_scopes(), "'"));
  }
  const std::vector<std::string> addresses = ListenAddressesOf(config);
  if (std::all_of(addresses.begin(), addresses.end(), wire::IsLoopback)) {
    return access::ScopeSet::All();
  }
  return access::ScopeSet::Parse(access::NameOf(access::Scope::kRead));
}

absl::StatusOr<access::TrustedProxies> TrustedProxiesOf(const ServerConfig& config) {
  return access::TrustedProxies::Parse(config.trusted_proxies());
}

absl::StatusOr<std::string> HttpUrlOf(const ServerConfig& config) {
  if (config.http_url().empty()) return std::string();
  return http::ParseOwnUrl(config.http_url());
}

std::string PrintConfig(const ServerConfig& config) {
  std::string text =
      "# thalwegd's configuration, for `thalwegd serve --config FILE`: every field, as it is in "
      "effect.\n# A flag of serve (--cache-mb for cache_mb) wins over the file.\n";
  for (int k = 0; k < ServerConfig::descriptor()->field_count(); ++k) {
    const FieldDescriptor& field = *ServerConfig::descriptor()->field(k);
    const Setting& known = SettingOf(field);
    std::string comment = known.help();
    if (known.choices_size() > 0 || known.has_max()) {
      absl::StrAppend(&comment, " (", ExpectedOf(field), ")");
    }
    absl::StrAppend(&text, "\n", Comment(comment), field.name(), ": ", TextOf(config, field), "\n");
  }
  return text;
}

}  // namespace thalweg::commands
