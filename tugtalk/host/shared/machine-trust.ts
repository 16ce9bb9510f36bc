/**
 * The trust in folders if hosts of several machines share a database: a local folder belongs to one machine.
 */
import { LOCAL } from "../bridges/places.ts";
import type { Journal } from "../journal/journal.ts";
import type { CommandPorts } from "../server/command-ports.ts";

export function ofMachine(journal: Journal, machine: string): CommandPorts["journal"] {
  const named = (place: string) => (place === LOCAL ? `${LOCAL}@${machine}` : place);
  return {
    trustedGrants: (place, dir) => journal.trustedGrants(named(place), dir),
    trust: (place, dir, grants) => journal.trust(named(place), dir, grants),
    sessionOfRequest: (requestId) => journal.sessionOfRequest(requestId),
    search: (query) => journal.search(query),
    sizes: () => journal.sizes(),
    costs: (since) => journal.costs(since),
    backUp: (file) => journal.backUp(file),
  };
}
