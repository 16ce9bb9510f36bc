/** However a terminal ends in the middle of a turn, nothing that it started stays alive. */
import { afterEach, expect, test } from "bun:test";
import { CHECKED_BRIDGE } from "../../../testing/drivers/bridge-process.ts";
import { leftAfter } from "../../../testing/drivers/processes.ts";
import { descendantsOf } from "./support/descendants.ts";
import { endTerminals, startInteractive } from "./support/terminal-process.ts";

afterEach(endTerminals);

type Interactive = ReturnType<typeof startInteractive>;

/** The demonstration with the real bridge, in its second turn, at a permission prompt. */
async function startTurn() {
  const interactive = startInteractive({
    args: ["--demo"],
    env: { TUGTALK_BRIDGE: CHECKED_BRIDGE },
  });
  const { output, type } = interactive;
  await output.wait("session ");
  type("hello\r");
  await output.wait("cost: ");
  await output.wait("> \u001b[3G");
  type("the tools\r");
  await output.wait("Allow it?");
  return interactive;
}

const ends: readonly (readonly [name: string, end: (interactive: Interactive) => void])[] = [
  ["the closing of its window", ({ terminal }) => terminal.close()],
  ["SIGHUP", ({ child }) => child.kill("SIGHUP")],
  ["SIGTERM", ({ child }) => child.kill("SIGTERM")],
  ["SIGKILL", ({ child }) => child.kill("SIGKILL")],
];

for (const [name, end] of ends) {
  test(`${name} in a turn leaves no process alive`, async () => {
    const interactive = await startTurn();
    const { child } = interactive;
    const started = descendantsOf(child.pid);
    // The bridge and Claude.
    expect(started.length).toBeGreaterThanOrEqual(2);
    end(interactive);
    await child.exited;
    expect(await leftAfter([child.pid, ...started], 10_000)).toEqual([]);
  });
}

test("SIGHUP ends the turn in good order: the host exits with 0 and says how the turn ended", async () => {
  const { child, output } = await startTurn();
  child.kill("SIGHUP");
  expect(await child.exited).toBe(0);
  expect(output.text).toMatch(/turn ended: shutdown|\(interrupted\)/);
});
