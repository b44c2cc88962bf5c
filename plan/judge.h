// What would not work any more: one function a subject, each from the parts before and after.
#pragma once

#include "plan/setup.h"

namespace rocvet::plan {

/// A framework that is to move, and the published wheel for it here.
struct ChosenWheel {
  Upgrade::Wheel asked;
  std::optional<WheelInfo> wheel;  ///< none: nothing fits, or nothing is known
  std::string python;              ///< that it is to run on; "" is the system's
};

/// What all judges are told, and add to.
struct Judgement {
  const Machine& machine;
  const Database& database;
  const Upgrade& upgrade;
  const Setup& before;
  Setup& then;  ///< a part that must move with the others is moved here
  Plan& plan;
  std::vector<ChosenWheel>& wheels;

  /// Something was asked for that could not be judged.
  void unjudged(std::string why) const;
  void breaks(std::string subject, std::string because, std::string source) const;
  void may_break(std::string subject, std::string because, std::string source) const;
};

/// What is asked about and was not seen on this machine.
void judge_unseen(const Judgement& judgement);
/// GPU, release and system, pair by pair: what the tables list now and not any more.
void judge_tables(const Judgement& judgement);
/// AMD's driver against the release: moves it where the two are no published pair.
void judge_driver(const Judgement& judgement);
/// Published defects that the machine has not met yet.
void judge_defects(const Judgement& judgement);
/// Frameworks that are to move: whether there is a build for GPU, ROCm and Python, and which.
void judge_wheels(const Judgement& judgement);
/// What was made for the torch that goes, and frameworks that bring a ROCm of their own.
void judge_companions(const Judgement& judgement);
/// What is linked to ROCm's libraries outside of a bundle of its own.
void judge_linked(const Judgement& judgement);
/// Environments whose Python the system or the upgrade takes away.
void judge_python(const Judgement& judgement);

/// The published wheels whose version a text names: "2.9" of a row for 2.9.
std::vector<WheelInfo> wheels_of(const Database& database, const std::string& framework,
                                 const std::string& version);
/// Whether a wheel is for a Python; true where its row names none.
bool has_python(const WheelInfo& wheel, const std::string& python);

}  // namespace rocvet::plan
