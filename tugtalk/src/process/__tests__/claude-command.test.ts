/** Which Claude is started, and with which environment. */
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
  ["leaves out an entry without a value", { PATH: "/bin", GONE: undefined }, {}, { PATH: "/bin" }],
  [
    "leaves out entries that are for the bridge",
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
    "passes on names that only resemble those",
    { NODE_OPTIONS_X: "1", MY_DEBUG: "1" },
    {},
    { NODE_OPTIONS_X: "1", MY_DEBUG: "1" },
  ],
  ["passes a login on by default", LOGIN, {}, LOGIN],
  ["passes a login on where the option says so", LOGIN, { use_api_key: true }, LOGIN],
  [
    "leaves a login out where the option says so",
    { ...LOGIN, A: "1" },
    { use_api_key: false },
    { A: "1" },
  ],
  [
    "adds and replaces",
    { A: "1", B: "2" },
    { env: { B: "3", C: "4" } },
    { A: "1", B: "3", C: "4" },
  ],
  [
    "leaves out an entry that the host sets to null",
    { A: "1", B: "2" },
    { env: { B: null, C: null } },
    { A: "1" },
  ],
  ["has an entry of the host that is not inherited", {}, { env: { DEBUG: "x" } }, { DEBUG: "x" }],
  [
    "has a login of the host",
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
  ["makes Claude keep copies of files", {}, {}, "1"],
  ["keeps an inherited value for copies of files", { [CHECKPOINTS]: "0" }, {}, "0"],
  [
    "keeps the value of the host for copies of files",
    {},
    { env: { [CHECKPOINTS]: null } },
    undefined,
  ],
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

  test("uses an executable by its path", () => {
    expect(findClaude(executable)).toEqual([executable]);
  });

  test("finds a name on PATH", () => {
    expect(findClaude("sh")).toEqual(["sh"]);
  });

  test("resolves a relative path from the folder of the bridge", () => {
    expect(findClaude(relative(process.cwd(), executable))).toEqual([executable]);
  });

  test.each(["cli.js", "/a b/cli.mjs", "x.cjs"])("starts the script %s with node", (path) => {
    expect(findClaude(path)).toEqual(["node", path]);
  });

  test("looks in the usual install paths where PATH has no claude", async () => {
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
    "rejects %j with its name",
    (command) => {
      const find = () => findClaude(command);
      expect(find).toThrow(TugtalkError);
      expect(find).toThrow(/no such executable/);
      expect(find).toThrow(expect.objectContaining({ code: "claude_not_found" }));
    },
  );
});
