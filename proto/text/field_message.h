// How numbers and fields are spelt in the errors of a specification.
#pragma once

#include <string>

namespace thalweg::text {

// The shortest decimal that reads back as the same number.
std::string Decimal(double value);

// A caller's text in quotes, escaped and cut after 96 bytes.
std::string Quoted(const std::string& text);

// "rules" and "to_level" make "rules.to_level"; an empty path adds nothing.
std::string FieldPath(const std::string& path, const std::string& field);

// "rules" and 2 make "rules[2]".
std::string ItemPath(const std::string& path, int index);

}  // namespace thalweg::text
