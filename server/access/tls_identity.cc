#include "server/access/tls_identity.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <ctime>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::access {
namespace {

Bio ReaderOf(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Without this function, OpenSSL would ask for a passphrase at the terminal.
int NoPassphrase(char*, int, int, void*) { return 0; }

absl::Status Wrong(const std::string& path, const char* what) {
  ERR_clear_error();
  return absl::InvalidArgumentError(absl::StrCat("invalid file ", path, ": ", what));
}

absl::StatusOr<std::vector<Certificate>> ParseCertificates(const std::string& path,
                                                           const std::string& text) {
  const Bio reader = ReaderOf(text);
  std::vector<Certificate> certificates;
  while (X509* certificate = PEM_read_bio_X509(reader.get(), nullptr, NoPassphrase, nullptr)) {
    certificates.emplace_back(certificate);
  }
  // OpenSSL reports the end of the file as an error, with this reason.
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (certificates.empty() || !at_end) {
    return Wrong(path, certificates.empty() ? "it has no certificate in PEM form"
                                            : "a certificate in it is not valid PEM");
  }
  ERR_clear_error();
  return certificates;
}

absl::Status CheckTime(const std::string& path, X509& certificate,
                       std::chrono::system_clock::time_point now) {
  std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const char* why = nullptr;
  if (X509_cmp_time(X509_get0_notAfter(&certificate), &seconds) < 0) {
    why = "its certificate has expired";
  } else if (X509_cmp_time(X509_get0_notBefore(&certificate), &seconds) > 0) {
    why = "its certificate is not valid yet";
  }
  if (why == nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError(Wrong(path, why).message());
}

// When a certificate that passed CheckTime expires.
std::chrono::system_clock::time_point EndOf(const X509& certificate) {
  std::tm end{};
  ASN1_TIME_to_tm(X509_get0_notAfter(&certificate), &end);
  return std::chrono::system_clock::from_time_t(timegm(&end));
}

absl::Status CheckPair(const TlsFiles& files, X509& certificate, const std::string& key_text) {
  const Bio reader = ReaderOf(key_text);
  const Key key(PEM_read_bio_PrivateKey(reader.get(), nullptr, NoPassphrase, nullptr));
  if (key == nullptr) return Wrong(files.key, "it has no unencrypted private key in PEM form");
  if (X509_check_private_key(&certificate, key.get()) != 1) {
    return Wrong(files.key, "its key does not belong to the certificate");
  }
  return absl::OkStatus();
}

// The paths, in the order of the texts below.
std::vector<std::string> PathsOf(const TlsFiles& files) {
  std::vector<std::string> paths{files.certificate, files.key};
  if (!files.client_ca.empty()) paths.push_back(files.client_ca);
  return paths;
}

absl::StatusOr<std::shared_ptr<const TlsIdentity>> IdentityOf(
    const TlsFiles& files, const std::vector<std::string>& texts,
    std::chrono::system_clock::time_point now) {
  auto identity = std::make_shared<TlsIdentity>();
  identity->certificate_chain = texts[0];
  identity->private_key = texts[1];
  THALWEG_ASSIGN_OR_RETURN(const auto chain,
                           ParseCertificates(files.certificate, identity->certificate_chain));
  THALWEG_RETURN_IF_ERROR(CheckTime(files.certificate, *chain.front(), now));
  THALWEG_RETURN_IF_ERROR(CheckPair(files, *chain.front(), identity->private_key));
  identity->certificate_end = EndOf(*chain.front());
  if (files.client_ca.empty()) return identity;
  identity->client_roots = texts[2];
  THALWEG_RETURN_IF_ERROR(ParseCertificates(files.client_ca, identity->client_roots).status());
  return identity;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const TlsIdentity>> ReadTlsIdentity(
    const TlsFiles& files, std::chrono::system_clock::time_point now) {
  std::vector<std::string> texts;
  for (const std::string& path : PathsOf(files)) {
    THALWEG_ASSIGN_OR_RETURN(texts.emplace_back(), ReadRegularFile(path));
  }
  return IdentityOf(files, texts, now);
}

absl::StatusOr<std::unique_ptr<TlsIdentitySource>> WatchTlsIdentity(const TlsFiles& files,
                                                                    const ReloadOptions& options,
                                                                    const SystemClock& now) {
  const auto load = [files, now](const std::vector<std::string>& texts,
                                 const TlsIdentitySource::Pointer&) {
    return IdentityOf(files, texts, now());
  };
  return TlsIdentitySource::Open(PathsOf(files), load, options);
}

}  // namespace thalweg::access
