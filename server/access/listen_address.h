// How far an address can be reached.
#pragma once

#include <string>

namespace thalweg::access {

// Whether only this machine can reach HOST:PORT: 127.0.0.0/8, [::1] and localhost.
bool IsLoopback(const std::string& address);

}  // namespace thalweg::access
