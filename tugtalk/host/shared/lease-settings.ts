/** How long the hosts of a database wait for a lost one. */

import type { Place } from "../bridges/bridge.ts";
import { bridgeEndMs } from "../bridges/place-connection.ts";
import type { LeaseSettings } from "../journal/postgres/lease-times.ts";

/** A Claude without a host is gone after the longest idle time and the time that its end takes. */
export function leaseOf(
  {
    leaseSeconds,
    idleExitSeconds,
  }: { readonly leaseSeconds: number; readonly idleExitSeconds: number },
  places: readonly Place[],
): LeaseSettings {
  const idleSeconds = [idleExitSeconds, ...places.map((place) => place.idleExitSeconds)];
  return { leaseMs: leaseSeconds * 1000, bridgeEndMs: bridgeEndMs(Math.max(...idleSeconds)) };
}
