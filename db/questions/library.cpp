// Which libraries are built for a target.
#include "db/questions/questions.h"

namespace rocvet::db {

std::vector<Fact> library_facts(const Asked& asked) {
  std::vector<Fact> facts;
  const std::string& gfx = asked.gpu->gfx;
  for (const LibraryRow* row :
       rows_for(asked.db.published().libraries(), asked.release->version,
                [&](const LibraryRow& each) { return holds(each.gfx, gfx); })) {
    facts.push_back(fact_of(
        row->origin, "library × gpu", row->built ? Support::enabled : Support::unsupported,
        std::string(row->library) + (row->built ? " is built for " : " is not built for ") + gfx));
  }
  return facts;
}

}  // namespace rocvet::db
