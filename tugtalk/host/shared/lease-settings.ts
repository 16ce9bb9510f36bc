/** How long the hosts that share a database wait for one that is lost. */

import { OPTION_DEFAULTS } from "../../src/messages/option-defaults.ts";
import type { Place } from "../bridges/bridge.ts";
import { lingerMsAfter } from "../bridges/place-connection.ts";
import type { LeaseSettings } from "../journal/postgres/host-lease.ts";

/** A Claude of which its host has not heard is gone after the longest idle time, and what it takes to end. */
export function leaseOf(
  {
    leaseSeconds,
    idleExitSeconds,
  }: { readonly leaseSeconds: number; readonly idleExitSeconds: number },
  places: readonly Place[],
): LeaseSettings {
  const idleSeconds = [idleExitSeconds, ...places.map((place) => place.idleExitSeconds)];
  const bridgeEndMs = lingerMsAfter(
    Math.max(...idleSeconds) * 1000,
    OPTION_DEFAULTS.shutdown_grace_ms,
  );
  return { leaseMs: leaseSeconds * 1000, bridgeEndMs };
}
