// The certificate that a server shows, and the roots that it trusts for its clients.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/access/reloaded.h"

namespace thalweg::access {

// Owning pointers to OpenSSL's objects.
template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};

using Bio = std::unique_ptr<BIO, Freed<BIO_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;

// The paths of PEM files.
struct TlsFiles {
  // The server's certificate, then its chain up to the root.
  std::string certificate;
  std::string key;
  // Roots of the clients' certificates; empty: clients need none.
  std::string client_ca;
};

// The PEM texts, after the checks.
struct TlsIdentity {
  std::string certificate_chain;
  std::string private_key;
  std::string client_roots;
  // The time when the server's certificate expires.
  std::chrono::system_clock::time_point certificate_end = {};
};

// Reads the files. INVALID_ARGUMENT if one can't be parsed, or if key and certificate do not match;
// FAILED_PRECONDITION if the certificate is not valid at the time `now`; or the system's error. No
// message contains any part of the key.
absl::StatusOr<std::shared_ptr<const TlsIdentity>> ReadTlsIdentity(
    const TlsFiles& files, std::chrono::system_clock::time_point now);

using TlsIdentitySource = Reloaded<TlsIdentity>;

// The system's time, which may be set.
using SystemClock = std::function<std::chrono::system_clock::time_point()>;

// The identity from the files. They are read again when they change, and when a certificate that
// was not valid may have become so.
absl::StatusOr<std::unique_ptr<TlsIdentitySource>> WatchTlsIdentity(
    const TlsFiles& files, const ReloadOptions& options = {},
    const SystemClock& now = &std::chrono::system_clock::now);

}  // namespace thalweg::access
