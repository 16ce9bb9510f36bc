/** Declares tests with a real `claude`, once for each of some versions. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { MeasuredVersion } from "../../simulator/measured-versions.ts";
import { endHosts, startHost } from "../drivers/host-process.ts";
import { claudePath } from "./installed-claude.ts";
import { installNode } from "./installed-node.ts";
import { openRealPlace, type RealPlace, type RealSession } from "./real-session.ts";

/** The time limit of one test, in ms. It starts a few CLIs, each of which can take 20 s on a busy machine. */
const REAL_TIMEOUT_MS = 180_000;
/** The first run of a version installs it. */
const INSTALL_TIMEOUT_MS = 300_000;

/** Declares one test, whose body gets the means that it needs. */
type Declare<Given> = (name: string, body: (given: Given) => Promise<unknown>) => void;

/** Tests with a home of their own each. The sessions that a test leaves open end well. */
export function realTests(...versions: readonly MeasuredVersion[]): Declare<RealPlace> {
  setDefaultTimeout(REAL_TIMEOUT_MS);
  beforeAll(
    () => Promise.all([installNode(), ...versions.map((version) => claudePath(version))]),
    INSTALL_TIMEOUT_MS,
  );
  return (name, body) =>
    test.each([...versions])(`${name}, claude %s`, async (version) => {
      await using place = await openRealPlace(version);
      await body(place);
      await place.endSessions();
    });
}

/** Tests, in order, that share the result of `open` for each version. */
export function inOnePlace<Shared>(
  versions: readonly MeasuredVersion[],
  open: (place: RealPlace) => Promise<Shared>,
  declare: (declareTest: Declare<Shared>, version: MeasuredVersion) => void,
): void {
  setDefaultTimeout(REAL_TIMEOUT_MS);
  describe.each([...versions])("claude %s", (version) => {
    let place: RealPlace | undefined;
    let shared: Shared;
    beforeAll(async () => {
      place = await openRealPlace(version);
      shared = await open(place);
    }, INSTALL_TIMEOUT_MS);
    afterAll(async () => {
      await endHosts();
      await place?.close();
    });
    declare((name, body) => test(name, () => body(shared)), version);
  });
}

/** Tests that share one session of each version, in order; the last one ends it. */
export function inOneSession(
  versions: readonly MeasuredVersion[],
  open: (place: RealPlace) => Promise<RealSession>,
  declare: (declareTest: Declare<RealSession>, version: MeasuredVersion) => void,
): void {
  inOnePlace(versions, open, (declareTest, version) => {
    declare(declareTest, version);
    declareTest("the whole session kept the contract", async (session) => {
      if (!session.isOver) await session.end();
      expectAnswered(session);
    });
  });
}

/** Starts a host with the Claude of a place. */
export async function hostIn(place: RealPlace) {
  const { claude, home, api } = place;
  return { place, api, host: await startHost({ claude, env: home.environment(api.url) }) };
}

/** A host with a real `claude`. */
export type RealHost = Awaited<ReturnType<typeof hostIn>>;

/** Each message has one answer, and the model was asked for nothing that no script has. */
function expectAnswered(session: RealSession): void {
  const { bridge, place } = session;
  const answers = bridge.received.map(({ in_reply_to }) => in_reply_to);
  const once = bridge.sentIds.filter((id) => answers.filter((other) => other === id).length === 1);
  expect(once).toEqual([...bridge.sentIds]);
  const versions = session.all("system_metadata").map((init) => init["claude_code_version"]);
  expect(new Set(versions)).toEqual(new Set([place.version]));
  expect(place.api.requests.map(({ answer }) => answer)).not.toContain("unscripted");
}
