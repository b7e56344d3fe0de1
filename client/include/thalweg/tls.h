// SPDX-License-Identifier: Apache-2.0

// An encrypted connection.
#pragma once

#include <string>

namespace thalweg {

// How a connection is encrypted. All texts are PEM, not paths to files.
struct TlsOptions {
  // The roots that the server's certificate must come from; empty: the system's.
  std::string root_certificates;
  // The client's certificate with its chain, and its key, for servers that ask for them. Give both
  // or neither.
  std::string certificate;
  std::string key;
  // The name that the server's certificate must have; empty: the host of the address.
  std::string server_name;
};

}  // namespace thalweg
