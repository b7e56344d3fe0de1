#include "server/http/tls_context.h"

#include <openssl/evp.h>
#include <openssl/ssl.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <string>
#include <string_view>

namespace thalweg::http {
namespace {

namespace ssl = boost::asio::ssl;

// How long a session may be resumed. The client's certificate is not checked again, so an expired
// one remains valid that long.
constexpr long kSessionSeconds = 600;

// Selects HTTP/1.1 from the protocols that the client offers (RFC 7301).
int ChooseProtocol(SSL*, const unsigned char** out, unsigned char* out_bytes,
                   const unsigned char* in, unsigned int in_bytes, void*) {
  static constexpr std::string_view kProtocols("\x08http/1.1");
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(
          &chosen, out_bytes, reinterpret_cast<const unsigned char*>(kProtocols.data()),
          static_cast<unsigned int>(kProtocols.size()), in, in_bytes) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

// Binds sessions to the roots that client certificates were checked against: with other roots they
// are not valid (SSL_CTX_set_session_id_context(3)).
bool BindSessionsTo(const std::string& client_roots, SSL_CTX* context) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int bytes = 0;
  return EVP_Digest(client_roots.data(), client_roots.size(), digest.data(), &bytes, EVP_sha256(),
                    nullptr) == 1 &&
         SSL_CTX_set_session_id_context(context, digest.data(), bytes) == 1;
}

}  // namespace

std::shared_ptr<ssl::context> MakeTlsContext(const access::TlsIdentity& identity) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  SSL_CTX* const native = context->native_handle();
  if (SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION) != 1) return nullptr;
  if (!BindSessionsTo(identity.client_roots, native)) return nullptr;
  SSL_CTX_set_timeout(native, kSessionSeconds);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(native, ChooseProtocol, nullptr);
  boost::system::error_code error;
  context->use_certificate_chain(boost::asio::buffer(identity.certificate_chain), error);
  if (error) return nullptr;
  context->use_private_key(boost::asio::buffer(identity.private_key), ssl::context::pem, error);
  if (error) return nullptr;
  if (identity.client_roots.empty()) return context;
  context->add_certificate_authority(boost::asio::buffer(identity.client_roots), error);
  if (error) return nullptr;
  context->set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert, error);
  return error ? nullptr : context;
}

}  // namespace thalweg::http
