/** Sessions with the real CLI of every measured version are recorded and replayed. */
import { MEASURED_VERSIONS } from "../../simulator/measured-versions.ts";
import { realTests } from "../../testing/real/real-tests.ts";
import { SCENES } from "./support/recorded-scenes.ts";
import { expectAsItWas, maybeKeep, newRecording, replayFile } from "./support/replayed.ts";

const test = realTests(...MEASURED_VERSIONS);

for (const [name, scene] of Object.entries(SCENES))
  test(`${name} replays without differences`, async (place) => {
    const path = newRecording();
    await scene(place.start({}, [`--record=${path}`]));
    maybeKeep(path, `claude ${place.version} ${name}`);
    expectAsItWas(await replayFile(path));
  });
