/** Which Claude is started, and what of our environment it gets (lesson 25). */
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { startBridge } from "../../../testing/drivers/bridge-process.ts";
import { STAND_IN } from "../../../testing/drivers/claudes.ts";
import { endCleanly } from "../../../testing/drivers/clean-end.ts";
import { TugtalkError } from "../../messages/errors.ts";
import { buildEnvironment, findClaude } from "../claude-command.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Options = Parameters<typeof buildEnvironment>[1];
type Row = readonly [name: string, own: Environment, options: Options, claude: Environment];

const LOGIN = { ANTHROPIC_API_KEY: "k", ANTHROPIC_AUTH_TOKEN: "t", CLAUDE_CODE_OAUTH_TOKEN: "o" };

const ROWS: readonly Row[] = [
  [
    "passes on",
    { PATH: "/bin", HOME: "/h", EMPTY: "" },
    {},
    { PATH: "/bin", HOME: "/h", EMPTY: "" },
  ],
  ["leaves out what has no value", { PATH: "/bin", GONE: undefined }, {}, { PATH: "/bin" }],
  [
    "keeps what was meant for us",
    {
      CLAUDECODE: "1",
      CLAUDECODE_X: "1",
      claudecode: "1",
      NODE_OPTIONS: "--inspect",
      DEBUG: "*",
      A: "1",
    },
    {},
    { A: "1" },
  ],
  [
    "passes on names that only resemble these",
    { NODE_OPTIONS_X: "1", MY_DEBUG: "1" },
    {},
    { NODE_OPTIONS_X: "1", MY_DEBUG: "1" },
  ],
  ["passes a login on by default", LOGIN, {}, LOGIN],
  ["passes a login on where it is wanted", LOGIN, { use_api_key: true }, LOGIN],
  ["keeps a login where it is not", { ...LOGIN, A: "1" }, { use_api_key: false }, { A: "1" }],
  [
    "adds and replaces",
    { A: "1", B: "2" },
    { env: { B: "3", C: "4" } },
    { A: "1", B: "3", C: "4" },
  ],
  ["removes by null", { A: "1", B: "2" }, { env: { B: null, C: null } }, { A: "1" }],
  ["lets the host give what is not inherited", {}, { env: { DEBUG: "x" } }, { DEBUG: "x" }],
  [
    "lets the host give a login of its own",
    LOGIN,
    { use_api_key: false, env: { ANTHROPIC_API_KEY: "h" } },
    { ANTHROPIC_API_KEY: "h" },
  ],
];

const CHECKPOINTS = "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING";

test.each([...ROWS])("the environment %s", (_name, own, options, claude) => {
  const all = { ...(claude as Record<string, string>), [CHECKPOINTS]: "1" };
  expect(buildEnvironment(own, options)).toEqual(all);
});

test.each([
  ["asks Claude to keep copies of files, to go back to", {}, {}, "1"],
  ["leaves that to who has said so before", { [CHECKPOINTS]: "0" }, {}, "0"],
  ["leaves that to the host", {}, { env: { [CHECKPOINTS]: null } }, undefined],
] as const)("the environment %s", (_name, own, options, value) => {
  expect(buildEnvironment(own, options)[CHECKPOINTS]).toBe(value);
});

describe("findClaude", () => {
  const folder = mkdtempSync(join(tmpdir(), "find-claude-"));
  const executable = join(folder, "claude");
  writeFileSync(executable, "#!/bin/sh\n");
  chmodSync(executable, 0o755);
  const notExecutable = join(folder, "text");
  writeFileSync(notExecutable, "");

  test("takes an executable as it is named", () => {
    expect(findClaude(executable)).toEqual([executable]);
  });

  test("takes a name on PATH", () => {
    expect(findClaude("sh")).toEqual(["sh"]);
  });

  test("takes a path from the folder that it was named in", () => {
    expect(findClaude(relative(process.cwd(), executable))).toEqual([executable]);
  });

  test.each(["cli.js", "/a b/cli.mjs", "x.cjs"])("starts %s, an old CLI, with node", (path) => {
    expect(findClaude(path)).toEqual(["node", path]);
  });

  test("looks in the usual places where PATH has none, as a host has it that is no shell", async () => {
    const home = mkdtempSync(join(tmpdir(), "find-claude-home-"));
    mkdirSync(join(home, ".local/bin"), { recursive: true });
    const found = join(home, ".local/bin/claude");
    writeFileSync(found, `#!/bin/sh\nexec ${process.execPath} ${STAND_IN} "$@"\n`);
    chmodSync(found, 0o755);
    const env = { HOME: home, PATH: join(home, "empty") };
    const bridge = startBridge({ claude: "", env, isIsolated: true });
    bridge.send({ type: "protocol_init", version: 2 });
    expect(await bridge.next("session_init")).toMatchObject({ mode: "new" });
    await endCleanly(bridge);
  });

  test.each([join(folder, "nowhere"), notExecutable, folder, "no-such-claude-on-path", ""])(
    "refuses %j by its name",
    (command) => {
      const find = () => findClaude(command);
      expect(find).toThrow(TugtalkError);
      expect(find).toThrow(/no such executable/);
      expect(find).toThrow(expect.objectContaining({ code: "claude_not_found" }));
    },
  );
});
