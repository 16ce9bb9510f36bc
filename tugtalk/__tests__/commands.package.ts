/**
 * Every command of the installed package and of the single binary, with this clone out of reach. A command
 * opens only files of the installation and of the system.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { parse } from "../client/parse.ts";
import { EventReader } from "../testing/drivers/host-clients.ts";
import { BINARY } from "./support/node-only.ts";
import { SealedMachine, type SealedOptions } from "./support/sealed-machine.ts";

const machine = new SealedMachine();
let root = "";
const kills: (() => void)[] = [];

beforeAll(async () => {
  root = await machine.install(await machine.pack(), "installed", true);
  copyFileSync(BINARY, join(machine.home, "tugtalk"));
}, 300_000);
afterAll(() => {
  for (const kill of kills) kill();
});

const COMMANDS: Readonly<Record<string, () => readonly string[]>> = {
  "the installed package": () => [join(machine.home, "bin/npx"), "--prefix", root, "tugtalk"],
  "the single binary": () => [join(machine.home, "tugtalk")],
};

/** A Claude of the same program, which needs nothing but it. */
function writeClaude(command: readonly string[]): string {
  const path = join(machine.home, `claude-${crypto.randomUUID()}`);
  const words = [join(machine.home, "bin/env"), `PATH=${machine.env["PATH"]}`, ...command];
  const version = 'if [ "$1" = --version ]; then echo "2.1.330 (Claude Code)"; exit; fi';
  writeFileSync(path, `#!/bin/sh\n${version}\nexec ${words.join(" ")} simulated-claude "$@"\n`, {
    mode: 0o755,
  });
  return path;
}

const INIT = '{"type":"protocol_init","version":2}\n';
const HELLO = '{"type":"user_message","text":"hello"}\n';
const IN_FULL = ["--on-eof=drain", "--log-level=error"];

const typesOf = (output: string) =>
  output
    .trimEnd()
    .split("\n")
    .map((line) => parse(line).type);

const Started = z.object({ port: z.number(), token_file: z.string(), pid: z.number() });
const Created = z.object({ id: z.string() });

describe.each(Object.keys(COMMANDS))("%s", (name) => {
  const command = () => COMMANDS[name]?.() ?? [];
  const start = (words: readonly string[], options?: SealedOptions) => {
    const started = machine.start([...command(), ...words], options);
    kills.push(() => started.kill("SIGKILL"));
    return started;
  };
  const run = (words: readonly string[], options?: SealedOptions) => start(words, options).ended;

  test("the bridge runs a turn, and its recording is played again", async () => {
    const recording = join(machine.home, `recording-${crypto.randomUUID()}.jsonl`);
    const flags = [`--claude=${writeClaude(command())}`, `--record=${recording}`, ...IN_FULL];
    const env = { TUGTALK_SIM_SPEED: "max" };
    const turn = await run(flags, { input: INIT + HELLO, env });
    expect(turn).toMatchObject({ stderr: "", code: 0 });
    expect(typesOf(turn.stdout)).toContain("turn_complete");
    const played = await run(["replay", recording]);
    expect(typesOf(played.stdout)).toContain("turn_complete");
    expect(played.code).toBe(0);
  });

  test("simulate plays a turn", async () => {
    const flags = ["simulate", "--speed=max", ...IN_FULL];
    const turn = await run(flags, { input: INIT + HELLO });
    expect(turn).toMatchObject({ stderr: "", code: 0 });
    expect(typesOf(turn.stdout)).toContain("turn_complete");
  });

  test("schema prints the schema of the package", async () => {
    const { stdout, code } = await run(["schema"]);
    const packed = readFileSync(join(root, "node_modules/tugtalk/dist/schema.json"), "utf8");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(packed));
  });

  test("doctor finds a Claude and tests it", async () => {
    const { stdout } = await run(["doctor", "--probe", `--claude=${writeClaude(command())}`]);
    expect(stdout).toContain("version   2.1.330");
    expect(stdout).toMatch(/ {2}start +ok,/);
  });

  test("the host runs a session, prints a link, has the document of the package, and keeps the session", async () => {
    const data = `--data=${join(machine.home, `data-${crypto.randomUUID()}`)}`;
    const host = start(["host", "--json", "--port=0", data]);
    const line = await host.printed.waitFor(/\n/);
    const { port, token_file, pid } = Started.parse(JSON.parse(line));
    const url = `http://127.0.0.1:${port}`;
    const authorization = `Bearer ${readFileSync(token_file, "utf8").trim()}`;
    const created = await fetch(`${url}/api/sessions`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ dir: machine.project, trust: true }),
    });
    const { id } = Created.parse(await created.json());
    const events = await EventReader.open(`${url}/api/sessions/${id}/events?after=0`, {
      authorization,
    });
    await fetch(`${url}/api/sessions/${id}/message`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ message: "hello" }),
    });
    expect((await events.next("turn_complete")).data).toMatchObject({ result: "success" });
    const page = await (await fetch(url, { headers: { authorization } })).text();
    expect(page).toContain('src="/assets/page-');
    const served = await fetch(`${url}/api/openapi.json`, { headers: { authorization } });
    expect(await served.text()).toBe(
      readFileSync(join(root, "node_modules/tugtalk/dist/openapi.json"), "utf8"),
    );
    const link = await run(["host", "url", data]);
    expect((await fetch(link.stdout.trim(), { redirect: "manual" })).status).toBe(303);
    process.kill(pid, "SIGTERM");
    expect((await host.ended).code).toBe(0);

    expect((await run(["host", "sessions", data])).stdout).toContain(id);
    expect((await run(["host", "sessions", "export", id, data])).stdout).toContain("hello");
    expect(await run(["host", "sessions", "delete", id, data])).toMatchObject({ code: 0 });
    expect((await run(["host", "sessions", data])).stdout).not.toContain(id);
  });
});

test("no command has opened a file outside the installation and the system", () => {
  expect(machine.openedOutside()).toEqual([]);
});
