// One HTTP request, over a plain socket.
#pragma once

#include <string>

namespace thalweg::service {

// The whole answer of 127.0.0.1:PORT to GET PATH, with its head; empty if there is none.
std::string HttpGet(int port, const std::string& path);

}  // namespace thalweg::service
