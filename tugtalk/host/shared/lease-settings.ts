/** How long the hosts that share a database wait for one that is lost. */

import type { Place } from "../bridges/bridge.ts";
import { bridgeEndMs } from "../bridges/place-connection.ts";
import type { LeaseSettings } from "../journal/postgres/lease-times.ts";

/** A Claude of which its host has not heard is gone after the longest idle time, and what it takes to end. */
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
