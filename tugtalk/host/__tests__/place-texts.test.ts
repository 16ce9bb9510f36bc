/** Texts of a place, which may be any program, in the errors and on the terminal of the host. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runSessions } from "../../testing/drivers/ended-command.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import { entryOf } from "../sessions/bridge-messages.ts";

afterAll(endHosts);

/** Control characters, except line ends. */
const CONTROL = /[^\P{Cc}\n]/u;

/** A title for the window, a cleared screen, a C1 command, a forged line. */
const COMMANDS = "\u001b]0;owned\u0007\u001b[2J\u009b31m\rforged\u007f";

/** A host with a place whose command runs a script with `$COMMANDS`. */
function hostWithPlace(script: string) {
  const file = join(mkdtempSync(join(tmpdir(), "places-")), "places.json");
  const places = [{ name: "box", command: ["sh", "-c", script] }];
  writeFileSync(file, JSON.stringify({ places }));
  return startHost({ args: [`--places=${file}`], env: { COMMANDS } });
}

const SPELLED = "\\u{1b}]0;owned\\u{7}\\u{1b}[2J\\u{9b}31m\\u{d}forged\\u{7f}";

test.each([
  [
    "says on its stderr",
    'printf "%s\\n" "$COMMANDS" >&2; exit 3',
    `cannot reach box: ${SPELLED}`,
    `box: ${SPELLED}\n`,
  ],
  ["prints in the place of messages", 'printf "%s\\n" "$COMMANDS"; cat > /dev/null', "", ""],
  [
    "says in its error",
    'read line; printf \'{"type":"error","code":"x%s","message":"%s","recoverable":false}\\n\' "$COMMANDS" "$COMMANDS"',
    "",
    "",
  ],
])("what a place %s is spelled out, and commands no terminal", async (_, script, error, log) => {
  const host = await hostWithPlace(script);
  const { status, body } = await host.run("create", { place: "box", dir: "/x", trust: true });
  expect(status).toBe(503);
  expect(body["error"]).toBeString();
  expect(body["error"]).not.toMatch(CONTROL);
  expect(body["error"]).toStartWith(error);
  await host.stop();
  const logged = await host.stderr;
  expect(logged).not.toMatch(CONTROL);
  expect(logged).toContain(log);
});

test("errors and the stderr of Claude are clean in the journal, other texts are as they came", () => {
  const { data: error } = entryOf({
    ipc_version: 2,
    seq: 1,
    type: "error",
    code: "bad_message",
    message: COMMANDS,
    recoverable: true,
  });
  expect(error["message"]).not.toMatch(CONTROL);
  const block = { msg_id: "m", block_index: 0, is_partial: false, status: "complete" } as const;
  const text = { type: "assistant_text", ...block, text: COMMANDS } as const;
  expect(entryOf({ ipc_version: 2, seq: 2, ...text }).data).toMatchObject({ text: COMMANDS });
});

test("the name of a session on a place reaches no terminal by the list or an export", async () => {
  const host = await startHost({ hasFile: true });
  const session = await host.createSession({ title: COMMANDS.slice(0, -1) });
  for (const words of [
    ["list"],
    ["list", "--json"],
    ["export", session.id],
    ["export", session.id, "--format=json"],
  ]) {
    const { out } = await runSessions(host.dataDir, ...words);
    expect(out).toContain("owned");
    expect(out).not.toMatch(CONTROL);
  }
});
