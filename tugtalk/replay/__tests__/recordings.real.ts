/** Sessions with the real CLI of every measured version are recorded and replayed. */
import { afterEach, beforeAll, describe, setDefaultTimeout, test } from "bun:test";
import { claudeCommand } from "../../simulator/cli-cache.ts";
import { MEASURED_VERSIONS } from "../../simulator/measured-versions.ts";
import { EXPECTED } from "../../testing/real/real-expected.ts";
import {
  openRealPlace,
  type RealPlace,
  startRealSession,
} from "../../testing/real/real-session.ts";
import { INSTALL_TIMEOUT_MS, REAL_TIMEOUT_MS } from "../../testing/real/real-shared-session.ts";
import { SCENES } from "./support/recorded-scenes.ts";
import { expectAsItWas, maybeKeep, newRecording, replayFile } from "./support/replayed.ts";

setDefaultTimeout(REAL_TIMEOUT_MS);

let place: RealPlace | undefined;
afterEach(() => place?.close());

describe.each(MEASURED_VERSIONS)("claude %s", (version) => {
  beforeAll(() => claudeCommand(version), INSTALL_TIMEOUT_MS);

  test.each(Object.entries(SCENES))("%s replays without differences", async (name, scene) => {
    place = await openRealPlace(version);
    const path = newRecording();
    await scene(startRealSession(place, {}, [`--record=${path}`]), EXPECTED[version]);
    maybeKeep(path, `claude ${version} ${name}`);
    expectAsItWas(await replayFile(path));
  });
});
