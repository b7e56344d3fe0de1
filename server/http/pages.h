// Pages of the server itself: its index, the examples, health and metrics.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::http {

// Header lines for a page ("/cesium/index.html") with this text. They allow only its inline scripts
// and styles, those that it links, this server's answers, and what its library needs.
std::string ExampleHeaders(std::string_view name, std::string_view html);

}  // namespace thalweg::http
