// A server's configuration: read from a file, checked, and printed.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/access/scope.h"
#include "server/access/trusted_proxies.h"
#include "server/commands/config.pb.h"

namespace thalweg::commands {

// What is known of a field of ServerConfig; see config.proto.
const Setting& SettingOf(const google::protobuf::FieldDescriptor& field);

// A field's value in text form, or its default.
std::string TextOf(const ServerConfig& config, const google::protobuf::FieldDescriptor& field);

// Checks a field against its range or choices. INVALID_ARGUMENT names it, its value and what it
// must be.
absl::Status CheckField(const ServerConfig& config, const google::protobuf::FieldDescriptor& field);

// Reads a configuration file. INVALID_ARGUMENT names the file and the line of a field that is
// unknown, ill-typed or out of its range; or what the system says.
absl::StatusOr<ServerConfig> ReadConfig(const std::string& path);

// Checks what no single field says: that a certificate and a shared cache have their keys, that a
// server that can be reached from elsewhere is guarded or told not to be; and lists of scopes and
// proxies.
absl::Status CheckConfig(const ServerConfig& config);

// What callers may do without a tokens file: what is said, or everything on addresses that only
// this machine reaches, or to read. INVALID_ARGUMENT for what is no list of scopes.
absl::StatusOr<access::ScopeSet> AnonymousScopesOf(const ServerConfig& config);

// INVALID_ARGUMENT for what is no list of addresses and networks.
absl::StatusOr<access::TrustedProxies> TrustedProxiesOf(const ServerConfig& config);

// Every field with its value and, as a comment, its meaning; ReadConfig reads it back.
std::string PrintConfig(const ServerConfig& config);

}  // namespace thalweg::commands
