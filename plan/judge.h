// What would not work any more: one function a subject, each from the parts before and after.
#pragma once

#include "plan/setup.h"

namespace rocvet::plan {

/// What all judges are told, and add to.
struct Judgement {
  const Machine& machine;
  const Database& database;
  const Upgrade& upgrade;
  const Setup& before;
  Setup& then;  ///< a part that must move with the others is moved here
  Plan& plan;

  void breaks(std::string subject, std::string because, std::string source) const;
  void may_break(std::string subject, std::string because, std::string source) const;
};

/// GPU, release and system, pair by pair: what the tables list now and not any more.
void judge_tables(const Judgement& judgement);
/// AMD's driver against the release: moves it where the two are no published pair.
void judge_driver(const Judgement& judgement);
/// Published defects that the machine has not met yet.
void judge_defects(const Judgement& judgement);
/// Frameworks that are to move: whether there is a build for GPU and Python.
void judge_frameworks(const Judgement& judgement);
/// What is linked to ROCm's libraries outside of a bundle of its own.
void judge_linked(const Judgement& judgement);
/// Environments whose Python the system or the upgrade takes away.
void judge_python(const Judgement& judgement);

}  // namespace rocvet::plan
