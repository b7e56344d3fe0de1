#include "tests/access/certificates.h"

#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <cstdlib>

#include "server/access/tls_identity.h"

namespace thalweg::access {
namespace {

void Must(bool done) {
  if (!done) std::abort();
}

std::string TextOf(const Bio& bio) {
  char* data = nullptr;
  const long bytes = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(bytes)};
}

TestCertificate PemOf(X509* certificate, EVP_PKEY* key) {
  const Bio certificate_text(BIO_new(BIO_s_mem()));
  const Bio key_text(BIO_new(BIO_s_mem()));
  Must(PEM_write_bio_X509(certificate_text.get(), certificate) == 1);
  Must(PEM_write_bio_PrivateKey(key_text.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return {TextOf(certificate_text), TextOf(key_text)};
}

void AddExtension(X509* certificate, int id, const char* value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, id, value);
  Must(extension != nullptr && X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

Certificate NewCertificate(const std::string& name, EVP_PKEY* key, long from_s, long to_s) {
  Certificate certificate(X509_new());
  std::uint32_t serial = 0;
  Must(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof(serial)) == 1);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()), serial);
  Must(X509_set_version(certificate.get(), X509_VERSION_3) == 1);
  Must(X509_gmtime_adj(X509_getm_notBefore(certificate.get()), from_s) != nullptr);
  Must(X509_gmtime_adj(X509_getm_notAfter(certificate.get()), to_s) != nullptr);
  Must(X509_set_pubkey(certificate.get(), key) == 1);
  X509_NAME* subject = X509_get_subject_name(certificate.get());
  Must(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                  reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1,
                                  0) == 1);
  return certificate;
}

}  // namespace

struct TestAuthority::Keys {
  Key key;
  Certificate certificate;
};

TestAuthority::TestAuthority() : keys_(std::make_unique<Keys>()) {
  keys_->key.reset(EVP_EC_gen("P-256"));
  keys_->certificate = NewCertificate("Test authority", keys_->key.get(), -3'600, 3'600);
  X509* root = keys_->certificate.get();
  Must(X509_set_issuer_name(root, X509_get_subject_name(root)) == 1);
  AddExtension(root, NID_basic_constraints, "critical,CA:TRUE");
  AddExtension(root, NID_key_usage, "critical,keyCertSign,cRLSign");
  Must(X509_sign(root, keys_->key.get(), EVP_sha256()) > 0);
  root_ = PemOf(root, keys_->key.get());
}

TestAuthority::~TestAuthority() = default;

TestCertificate TestAuthority::Issue(const std::string& name, long from_s, long to_s) const {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate = NewCertificate(name, key.get(), from_s, to_s);
  Must(X509_set_issuer_name(certificate.get(), X509_get_subject_name(keys_->certificate.get())) ==
       1);
  AddExtension(certificate.get(), NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
  Must(X509_sign(certificate.get(), keys_->key.get(), EVP_sha256()) > 0);
  return PemOf(certificate.get(), key.get());
}

}  // namespace thalweg::access
