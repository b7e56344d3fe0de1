// SPDX-License-Identifier: Apache-2.0

// An encrypted connection.
#pragma once

#include <string>

namespace thalweg {

// PEM texts, not paths.
struct TlsOptions {
  // What the server's certificate must come from; empty: one of the system's roots.
  std::string root_certificates;
  // What this client shows to a server that asks for it, with those that lead to its root, and its
  // key. Both or neither.
  std::string certificate;
  std::string key;
  // The name that the server's certificate must have; empty: the address's host.
  std::string server_name;
};

}  // namespace thalweg
