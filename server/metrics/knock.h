// Wakes who waits for connections.
#pragma once

#include <string>

namespace thalweg::metrics {

// Connects to an address (of numbers, not names) and a port and goes away. Whether it is heard does
// not matter to who knocks; it waits for nothing.
void Knock(const std::string& host, int port);

}  // namespace thalweg::metrics
