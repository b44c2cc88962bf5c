// Every pair of values of every two fields of a question, asked alone and among known fields, and
// every subset of fields: no question may harm, what cannot be understood is an error, and what can
// is answered with sources.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "db/advise.h"
#include "db/database.h"

using namespace rocvet;

namespace {

/// What must come of a question with this value in it, whatever the others are.
enum class Must { answer, fail, either };

struct Value {
  std::string text;
  Must must;
};

struct Field {
  std::string Question::*member;
  bool asks_alone;  ///< a kernel alone is no question
  std::vector<Value> values;
};

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

/// The first two values of each: not asked, and known.
const std::vector<Field>& fields() {
  static const std::vector<Field> kFields = [] {
    const std::string nul("6\0.2", 4), long_number = repeated("9", 400),
                                       long_version = repeated("1.", 20000) + "1";
    std::vector<Field> all = {
        {&Question::gpu,
         true,
         {{"", Must::answer},
          {"RX 7900 XTX", Must::answer},
          {"gfx1151", Must::answer},
          {"gfx803", Must::answer},
          {"gfx9ff", Must::answer},
          {"1002:74a1", Must::answer},
          {"0x73bf", Must::answer},
          {"no such card", Must::fail},
          {"Radeon R7 Graphics", Must::fail},
          {"1002:", Must::fail},
          {"73", Must::fail}}},
        {&Question::rocm,
         true,
         {{"", Must::answer},
          {"6.2.4", Must::answer},
          {"4.5.0", Must::answer},
          {"10.0.0", Must::answer},
          {"6.3.77", Must::answer},
          {"6.9", Must::answer},
          {"99.0", Must::answer},
          {"0.1", Must::answer},
          {"6", Must::answer},
          {"rocm-six", Must::fail},
          {"6.99999999999", Must::fail}}},
        {&Question::os,
         true,
         {{"", Must::answer},
          {"ubuntu-24.04", Must::answer},
          {"SLES 15 SP6", Must::answer},
          {"centos 7", Must::answer},
          {"fedora 99", Must::answer},
          {"ubuntu", Must::answer},
          {"rhel (", Must::either},
          {"templeos", Must::fail}}},
        {&Question::kernel,
         false,
         {{"", Must::answer},
          {"6.8.0-45-generic", Must::answer},
          {"2.6.32", Must::answer},
          {"99.1.2-next", Must::answer},
          {"6", Must::answer},
          {"generic", Must::fail}}},
        {&Question::driver,
         true,
         {{"", Must::answer},
          {"6.4.x", Must::answer},
          {"30.30.1", Must::answer},
          {"6.10.5", Must::answer},
          {"1.0", Must::answer},
          {"88.8", Must::answer},
          {"latest", Must::fail}}},
        {&Question::framework,
         true,
         {{"", Must::answer},
          {"pytorch=2.6", Must::answer},
          {"pytorch", Must::answer},
          {"pytorch=", Must::answer},
          {"jax=99.1", Must::answer},
          {"torch=1.x", Must::answer},
          {"pytorch=two", Must::fail},
          {"caffe3=1.0", Must::fail},
          {"=2.6", Must::fail}}},
        {&Question::python,
         true,
         {{"", Must::answer},
          {"3.12", Must::answer},
          {"3.12.4", Must::answer},
          {"2.7", Must::answer},
          {"3", Must::answer},
          {"99.9", Must::answer},
          {"three", Must::fail}}},
        {&Question::platform,
         true,
         {{"", Must::answer},
          {"kvm", Must::answer},
          {"bare-metal", Must::answer},
          {"wsl", Must::answer},
          {"KVM-SR-IOV", Must::answer},
          {"esxi-passthrough", Must::answer},
          {"wsl-passthrough", Must::fail},
          {"kvm-", Must::fail},
          {"moon", Must::fail}}},
    };
    for (Field& field : all) {
      field.values.push_back({"   ", Must::fail});
      field.values.push_back({"-1", Must::fail});
      field.values.push_back({"%s%n\x1b[31m", Must::fail});
      field.values.push_back({long_number, Must::fail});
      field.values.push_back({nul, Must::either});
      field.values.push_back({long_version, Must::fail});
    }
    return all;
  }();
  return kFields;
}

struct Asked {
  std::size_t questions = 0, errors = 0;
};

using Choice = std::array<std::size_t, 8>;

/// Does not compile when a question has a field more or less: then fields() lacks one.
[[maybe_unused]] std::size_t fields_of_a_question(const Question& question) {
  const auto& [gpu, rocm, os, kernel, driver, framework, python, platform, system_is_given] =
      question;
  (void)gpu, (void)rocm, (void)os, (void)kernel, (void)driver, (void)framework;
  (void)python, (void)platform;
  (void)system_is_given;  // no text: ask() asks each question with and without
  return std::tuple_size_v<Choice>;
}

void ask(const Choice& choice, Asked& asked) {
  Question question;
  bool fails = false, either = false, asks = false;
  std::string shown;
  for (std::size_t f = 0; f < choice.size(); ++f) {
    const Field& field = fields()[f];
    const Value& value = field.values[choice[f]];
    question.*field.member = value.text;
    fails |= value.must == Must::fail;
    either |= value.must == Must::either;
    asks |= field.asks_alone && !value.text.empty();
    shown += "[" + value.text.substr(0, 40) + "]";
  }
  CAPTURE(shown);
  question.system_is_given = true;
  CHECK((Database::embedded().ask(question).has_value() || fails || either || !asks ||
         !question.os.empty()));
  question.system_is_given = false;
  const auto answer = Database::embedded().ask(question);
  ++asked.questions;
  if (fails || !asks) {
    CHECK_FALSE(answer.has_value());
  } else if (!either) {
    CHECK(answer.has_value());
  }
  if (!answer) {
    ++asked.errors;
    CHECK(!answer.error().text().empty());
    return;
  }
  CHECK(!answer->because.empty());
  CHECK(!answer->facts.empty());
  for (const Fact& fact : answer->facts) {
    if (fact.subject.empty() || fact.because.empty() || fact.source.empty() ||
        fact.checked.empty()) {
      FAIL_CHECK("a fact without subject, reason, source or date: " << fact.because);
    }
  }
}

}  // namespace

TEST_CASE("every pair of values of every two fields, alone and among known ones") {
  Asked asked;
  for (std::size_t a = 0; a < fields().size(); ++a) {
    for (std::size_t b = a + 1; b < fields().size(); ++b) {
      for (std::size_t i = 0; i < fields()[a].values.size(); ++i) {
        for (std::size_t j = 0; j < fields()[b].values.size(); ++j) {
          for (const std::size_t others : {0u, 1u}) {
            Choice choice;
            choice.fill(others);
            choice[a] = i;
            choice[b] = j;
            ask(choice, asked);
          }
        }
      }
    }
  }
  MESSAGE(asked.questions << " questions, of which " << asked.errors << " are errors");
}

TEST_CASE("every subset of fields, each not asked, known, or another that is well formed") {
  Asked asked;
  for (std::size_t n = 0; n < 6561; ++n) {
    Choice choice;
    std::size_t rest = n;
    for (std::size_t& one : choice) {
      one = rest % 3;
      rest /= 3;
    }
    ask(choice, asked);
  }
  CHECK(asked.questions == 6561);
  MESSAGE(asked.questions << " questions, of which " << asked.errors << " are errors");
}

TEST_CASE("advice and known defects take any text") {
  for (const Value& gpu : fields()[0].values) {
    for (const Field* field : {&fields()[1], &fields()[2], &fields()[3]}) {
      for (const Value& value : field->values) {
        CAPTURE(gpu.text.substr(0, 40));
        CAPTURE(value.text.substr(0, 40));
        Situation situation{.gfx = gpu.text};
        situation.rocm = situation.kernel = situation.os = value.text;
        situation.dkms_driver = situation.dkms_package = situation.linux_firmware = value.text;
        situation.gfx_override = value.text;
        situation.firmware["mes"] = value.text;
        for (const KnownIssue& issue : Database::embedded().known_issues(situation))
          CHECK(!issue.because.empty());
        Database::embedded().framework_features("pytorch", value.text, value.text, gpu.text);
        Database::embedded().sonames(value.text);
      }
    }
    const auto advice =
        advise(Database::embedded(),
               {.gpu = gpu.text, .os = "ubuntu-24.04", .installed = "6.2.4", .kernel = "6.8.0"});
    CHECK((advice.has_value() || gpu.must != Must::answer || gpu.text.empty()));
  }
  for (const Value& value : fields()[2].values)
    CHECK_NOTHROW((void)advise(Database::embedded(), {.gpu = "gfx1151", .os = value.text}));
}
