// Questions to the database.
#include "db/blob_database.h"

namespace rocvet::db {

Result<Answer> BlobDatabase::ask(const Question& question) const {
  Answer answer;
  if (!question.gpu.empty() && find(question.gpu).empty()) {
    return missing("--gpu", "no GPU is called '" + question.gpu + "'");
  }
  answer.verdict = Support::unlisted;
  answer.because = "nothing is published of this combination";
  return answer;
}

}  // namespace rocvet::db
