// The machine of a case that a test writes down in itself.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "case_machine.h"

namespace rocvet {

inline Machine made_machine(const std::string& case_text) {
  const auto tables = parse_toml(case_text, "case");
  REQUIRE(tables);
  auto machine = case_machine(*tables);
  REQUIRE(machine);
  return std::move(*machine);
}

}  // namespace rocvet
