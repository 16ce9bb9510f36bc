/**
 * `session_capabilities` from Claude's answer to `initialize`: the recorded answers of three versions (long texts
 * are cut in the middle), and answers with invalid fields. Contract, `session_capabilities`.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readJsonLines } from "../../../testing/drivers/json-lines.ts";
import { startSession } from "../../../testing/drivers/test-session.ts";
import { compareVersions } from "../../base/versions.ts";
import { SessionCapabilities } from "../../messages/session-messages.ts";
import { buildCapabilities } from "../capabilities.ts";

type Answer = Readonly<Record<string, unknown>>;
type Recorded = {
  readonly version: string;
  readonly skills: readonly string[];
  readonly answer: Answer;
};

const PATH = join(import.meta.dir, "../../../testing/fixtures/initialize-answers.jsonl");
const RECORDED = readJsonLines(PATH) as readonly Recorded[];
const BY_VERSION = new Map(RECORDED.map((recorded) => [recorded.version, recorded]));
const STAMP = { ipc_version: 2, seq: 1 } as const;

function recorded(version: string): Recorded {
  const found = BY_VERSION.get(version);
  if (found === undefined) throw new Error(`nothing was recorded of ${version}`);
  return found;
}

/** The names of the commands of one category. */
function named(answer: Answer, category: string | undefined): string[] {
  const { commands = [] } = buildCapabilities(answer);
  return commands.filter((command) => command.category === category).map(({ name }) => name);
}

describe.each(RECORDED)("session_capabilities of $version", ({ answer, skills }) => {
  const emitted = buildCapabilities(answer);

  test("session_capabilities fits the schema and has all items of each list", () => {
    expect(SessionCapabilities.parse({ ...emitted, ...STAMP })).toEqual({ ...emitted, ...STAMP });
    for (const list of ["models", "commands", "agents"] as const) {
      expect(emitted[list]?.length).toBe((answer[list] as unknown[] | undefined)?.length);
    }
    expect(emitted.output_style).toBe("default");
    expect(emitted.available_output_styles).toContain("Explanatory");
  });

  test("session_capabilities has the login, and the account as Claude reports it", () => {
    expect(emitted.login).toBe("api_key");
    expect(emitted.account).toEqual(answer["account"] as Answer);
  });

  test("session_capabilities has the category skill for exactly the skills that the CLI lists in init", () => {
    expect(named(answer, "skill")).toEqual([...skills]);
  });

  test("session_capabilities keeps description, argument hint and aliases of a command", () => {
    const compact = emitted.commands?.find(({ name }) => name === "compact");
    expect(compact?.description).toContain("summar");
    expect(compact?.argumentHint).toBe("<optional custom summarization instructions>");
    expect(compact?.category).toBe("local");
  });
});

test.each([
  ["2.1.38", ["insights", "init", "pr-comments", "review", "security-review"], []],
  [
    "2.1.197",
    ["goal", "init", "insights", "review", "security-review"],
    ["team-onboarding"], // Its effect was not measured.
  ],
  [
    "2.1.330",
    ["goal", "init", "insights", "security-review"],
    ["__remote-workflow", "auto-mode-setup", "team-onboarding", "workflow-launch-exec"],
  ],
])(
  "commands of %s have the category agent, or none when their effect was not measured",
  (version, prompts, unknown) => {
    const { answer } = recorded(version);
    expect(named(answer, "agent").sort()).toEqual([...prompts].sort());
    expect(named(answer, undefined).sort()).toEqual(unknown);
  },
);

const COMMANDS: readonly [string, Answer, string | undefined][] = [
  ["a command of the user", { name: "hello", description: "Hi (user)" }, "agent"],
  [
    "a command of the project with the name of a built-in command",
    custom("review (project)"),
    "agent",
  ],
  ["a command of a plugin", { name: "p:x", description: "X (plugin:p@shop)" }, "agent"],
  ["a prompt of an MCP server", { name: "probe:greet (MCP)", description: "Greets" }, "agent"],
  ["a bundled skill", { name: "fresh", description: "New (bundled)" }, "skill"],
  ["an unmarked built-in command", { name: "clear", description: "" }, "local"],
  ["an unknown command", { name: "fresh", description: "New" }, undefined],
  ["a command without a description", { name: "context" }, "local"],
];

function custom(words: string): Answer {
  return { name: "clear", description: words };
}

test.each(COMMANDS)("a command gets its category when it is %s", (_, command, category) => {
  const { commands } = buildCapabilities({ commands: [command] });
  expect(commands).toMatchObject([{ name: command["name"] }]);
  expect(commands?.[0]?.category).toBe(category as never);
});

test("commands without a mark have the category agent when the CLI marks its built-in commands", () => {
  const mine = { name: "context", description: "mine" };
  const theirs = { name: "clear", description: "", builtin: true };
  expect(named({ commands: [mine, theirs] }, "agent")).toEqual(["context"]);
});

test.each([
  ["2.1.38", "acceptEdits bypassPermissions default delegate dontAsk plan"],
  ["2.1.100", "acceptEdits bypassPermissions default dontAsk plan"],
  ["2.1.197", "acceptEdits auto bypassPermissions default dontAsk plan"],
  ["2.1.330", "acceptEdits auto bypassPermissions default dontAsk manual plan"],
  ["3.0.0", "acceptEdits auto bypassPermissions default dontAsk manual plan"],
])("the permission modes of a known version %s follow the version", (version, modes) => {
  expect(buildCapabilities({}, version).permission_modes).toEqual(modes.split(" "));
  const claude_code_version = version;
  expect(buildCapabilities({ claude_code_version }).permission_modes).toEqual(modes.split(" "));
});

test("the permission modes without a version follow the models of the answer", () => {
  const modes = (version: string) => buildCapabilities(recorded(version).answer).permission_modes;
  expect(modes("2.1.330")).toEqual(buildCapabilities({}, "2.1.330").permission_modes);
  expect(modes("2.1.197")).toEqual(buildCapabilities({}, "2.1.197").permission_modes);
  expect(modes("2.1.38")).toBeUndefined();
});

const LOGINS: readonly [Answer, string | undefined][] = [
  [{ tokenSource: "none", apiProvider: "firstParty" }, "none"],
  [{ tokenSource: "none", apiKeySource: "apiKeyHelper" }, "api_key"],
  [{ tokenSource: "ANTHROPIC_AUTH_TOKEN", apiKeySource: "ANTHROPIC_API_KEY" }, "auth_token"],
  [{ tokenSource: "CLAUDE_CODE_OAUTH_TOKEN" }, "oauth_token"],
  [{ tokenSource: "CLAUDE_CODE_OAUTH_TOKEN", apiKeySource: "ANTHROPIC_API_KEY" }, "api_key"],
  [{ tokenSource: "claude.ai", subscriptionType: "max" }, "subscription"],
  [{ apiProvider: "bedrock" }, "third_party"],
  [{}, undefined],
  [{ tokenSource: 7, apiKeySource: null, apiProvider: [] }, undefined],
];

test.each(LOGINS)("the account %o determines the login", (account, login) => {
  expect(buildCapabilities({ account }).login).toBe(login as never);
});

const ODD = [null, 7, "", "text", [], [null], {}, { value: 1 }, { name: {} }, true];

test("an invalid field is left out, and the message fits the schema", () => {
  for (const { answer } of RECORDED) {
    for (const key of [...Object.keys(answer), "type", "turn_id", "seq", "login", "category"]) {
      for (const odd of ODD) {
        const emitted = buildCapabilities({ ...answer, [key]: odd });
        expect(SessionCapabilities.safeParse({ ...emitted, ...STAMP }).success).toBe(true);
        expect(emitted.type).toBe("session_capabilities");
      }
    }
  }
});

test("an invalid item is left out of its list, and an invalid field out of its item", () => {
  const { models, commands, agents } = buildCapabilities({
    models: [{ value: "opus" }, { value: 7 }, null, "haiku"],
    commands: [{ name: "clear", description: 7, argumentHint: [], aliases: [1] }, { name: 7 }],
    agents: ["Plan", { name: "Plan", model: "opus" }],
  });
  expect(models).toEqual([{ value: "opus" }]);
  expect(commands).toEqual([{ name: "clear", category: "local" }]);
  expect(agents).toEqual([{ name: "Plan", model: "opus" }]);
});

test("an invalid answer gives an empty session_capabilities", () => {
  for (const odd of [...ODD, undefined])
    expect(buildCapabilities(odd)).toMatchObject({ type: "session_capabilities" });
});

test("versions are compared by their numbers", () => {
  expect(compareVersions("2.1.197", "2.1.38")).toBeGreaterThan(0);
  expect(compareVersions("2.1.38", "2.2.0")).toBeLessThan(0);
  expect(compareVersions("2.1.330-beta.1", "2.1.330")).toBe(0);
});

test("an answer with invalid fields does not fail the start", async () => {
  const session = await startSession({ isReady: false });
  await session.initialize({ models: "none", commands: [7], account: 1, pid: "?", turn_id: 4 });
  expect(session.of("session_init")).toHaveLength(1);
  const [emitted] = session.of("session_capabilities");
  expect(emitted).toMatchObject({ commands: [] });
  expect(Object.keys(emitted ?? {})).not.toContain("turn_id");
  session.message("hi");
  expect(session.lastWrite).toMatchObject({ type: "user" });
});

test("an answer without a response gives an empty session_capabilities", async () => {
  const session = await startSession({ isReady: false });
  await session.answerTo("initialize", { subtype: "success" });
  expect(session.of("session_init")).toHaveLength(1);
  const [emitted] = session.of("session_capabilities");
  expect(Object.keys(emitted ?? {}).sort()).toEqual(["ipc_version", "seq", "type"]);
});
