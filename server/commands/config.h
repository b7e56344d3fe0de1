// A server's configuration: it is read from a file, checked, and printed.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/access/caller.h"
#include "server/access/trusted_proxies.h"
#include "server/commands/config.pb.h"

namespace thalweg::commands {

// The options of a field of ServerConfig; see config.proto.
const Setting& SettingOf(const google::protobuf::FieldDescriptor& field);

// A field's value as text; its default if it is not set.
std::string TextOf(const ServerConfig& config, const google::protobuf::FieldDescriptor& field);

// The values that a field may have: "0 to 64", "one of 256, 512, 1024"; empty without a rule.
std::string ExpectedOf(const google::protobuf::FieldDescriptor& field);

// Checks a field against its range or choices. INVALID_ARGUMENT names the field, its value and the
// allowed ones.
absl::Status CheckField(const ServerConfig& config, const google::protobuf::FieldDescriptor& field);

// A setting of an earlier version.
struct RemovedSetting {
  std::string name;
  // What to use instead, or why there is nothing to set: the end of its error.
  std::string instead;
};

// Settings that were removed. Files and command lines with one of them are refused.
const std::vector<RemovedSetting>& RemovedSettings();

// Reads a configuration file. INVALID_ARGUMENT names the file and the line of a field that is
// unknown, removed, of the wrong type or out of its range; or the system's error.
absl::StatusOr<ServerConfig> ReadConfig(const std::string& path);

// Checks fields together: a certificate and a shared cache need their keys; a server that other
// machines can reach needs protection or allow_insecure. Also checks lists of scopes and proxies.
absl::Status CheckConfig(const ServerConfig& config);

// The scopes of callers if there is no tokens file: those of the configuration; by default all if
// only this machine can reach the server, else `read`. INVALID_ARGUMENT for an invalid list.
absl::StatusOr<access::ScopeSet> AnonymousScopesOf(const ServerConfig& config);

// INVALID_ARGUMENT for an invalid list of addresses and networks.
absl::StatusOr<access::TrustedProxies> TrustedProxiesOf(const ServerConfig& config);

// Returns http_url as http::ParseOwnUrl reads it; empty without one.
absl::StatusOr<std::string> HttpUrlOf(const ServerConfig& config);

// Every field with its value, and its meaning as a comment. ReadConfig can read the text.
std::string PrintConfig(const ServerConfig& config);

}  // namespace thalweg::commands
