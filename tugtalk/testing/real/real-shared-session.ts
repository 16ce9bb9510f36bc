/** The one session that the tests of a list share. */
import { afterAll, beforeAll } from "bun:test";
import { openRealPlace, type RealPlace, type RealSession } from "./real-session.ts";

/** The time limit of one test, in ms: far more than it needs. */
export const REAL_TIMEOUT_MS = 30_000;
/** The first run of a version installs it. */
export const INSTALL_TIMEOUT_MS = 300_000;

/** Declares a home that the tests of a list share. */
export function sharedPlace(version: string): () => RealPlace {
  let place: RealPlace | undefined;
  beforeAll(async () => {
    place = await openRealPlace(version);
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => place?.close());
  return () => {
    if (place === undefined) throw new Error("there is no place");
    return place;
  };
}

/** Declares the session: `start` runs before the first test, and its home is closed after the last one. */
export function sharedSession(
  version: string,
  start: (place: RealPlace) => RealSession | Promise<RealSession>,
): () => RealSession {
  let place: RealPlace | undefined;
  let session: RealSession | undefined;
  beforeAll(async () => {
    place = await openRealPlace(version);
    session = await start(place);
    await session.next("session_init");
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => place?.close());
  return () => {
    if (session === undefined) throw new Error("the session did not start");
    return session;
  };
}
