/** The configuration file of places. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { document } from "../../../__tests__/support/markdown.ts";
import { runCommand } from "../../../testing/drivers/ended-command.ts";
import { readPlaces } from "../places.ts";

const folder = mkdtempSync(join(tmpdir(), "tugtalk-places-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const file = join(folder, "places.json");
  writeFileSync(file, text);
  return file;
}

const box = { name: "build-box", command: ["ssh", "box"] };

test("a place has a name, a command and an idle time, which is a minute unless it is named", () => {
  const short = { name: "near", command: ["docker", "exec", "-i", "near"], idle_exit: 5 };
  expect(readPlaces(fileOf(JSON.stringify({ places: [box, short] })))).toEqual([
    { ...box, idleExitSeconds: 60 },
    { name: "near", command: ["docker", "exec", "-i", "near"], idleExitSeconds: 5 },
  ]);
});

test("the simulator that HOST.md has as a place gets the flags of a bridge, and its scenario", async () => {
  const [, entry = ""] = /`(\{ "name": "plan".*?\})`/.exec(document("tugtalk/HOST.md")) ?? [];
  const [place] = readPlaces(fileOf(`{"places": [${entry}]}`));
  writeFileSync(join(folder, "tugtalk"), '#!/bin/sh\necho "$*"\n', { mode: 0o755 });
  const words = ["tugtalk", "--idle-exit=60", "--multiplex"];
  const env = { PATH: `${folder}:${process.env["PATH"]}` };
  const { out } = await runCommand([...(place?.command ?? []), ...words], { env });
  expect(out).toBe("simulate plan --idle-exit=60 --multiplex\n");
});

describe("a file of places that cannot be used is refused with one line that names it", () => {
  const bad: readonly (readonly [what: string, text: string, problem: string])[] = [
    ["is not JSON", "{", "is not JSON"],
    ["holds no list", "{}", "places: "],
    ["has a misspelt key", JSON.stringify({ places: [{ ...box, idleExit: 5 }] }), "idleExit"],
    ["names this machine", placesOf({ name: "local" }), "places: 0: name: is the name of a built"],
    ["names the simulator", placesOf({ name: "simulator" }), "name: is the name of a built"],
    ["has a name with a space", placesOf({ name: "a b" }), "name: expected 1 to 64 letters"],
    ["has no command", placesOf({ command: [] }), "places: 0: command"],
    ["has a command of one text", placesOf({ command: "ssh box" }), "places: 0: command"],
    ["has an idle time of 0", placesOf({ idle_exit: 0 }), "places: 0: idle_exit"],
    ["names a place twice", JSON.stringify({ places: [box, box] }), "two places have the same"],
  ];
  test.each(bad)("one that %s", (_what, text, problem) => {
    const file = fileOf(text);
    const message = messageOf(() => readPlaces(file));
    expect(message).toStartWith(`${file}: `);
    expect(message).toContain(problem);
    expect(message).not.toContain("\n");
  });

  test("one that does not exist", () => {
    const file = join(folder, "missing.json");
    expect(messageOf(() => readPlaces(file))).toBe(`${file}: cannot be read`);
  });
});

function placesOf(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ places: [{ ...box, ...fields }] });
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "nothing was thrown";
}
