/** The flags of Claude: for every session, for its conversation and for its options. */
import { expect, test } from "bun:test";
import { OPTION_DEFAULTS } from "../../messages/option-defaults.ts";
import { SessionOptions } from "../../messages/options.ts";
import {
  type ArgumentOptions,
  buildClaudeArgs,
  type ClaudeSpawnConfig,
  withSecretsInFiles,
} from "../claude-args.ts";

const ID = "11111111-2222-4333-8444-555555555555";

test("the flags without choices are those that every session needs", () => {
  expect(buildClaudeArgs({})).toEqual([
    "--output-format=stream-json",
    "--input-format=stream-json",
    "--verbose",
    "--include-partial-messages",
    "--replay-user-messages",
    "--permission-prompt-tool=stdio",
  ]);
});

const CHOICES: readonly (readonly [config: ClaudeSpawnConfig, args: readonly string[]])[] = [
  [{ continue: true }, ["--continue"]],
  [{ continue: true, forkSession: true }, ["--continue", "--fork-session"]],
  [{ sessionId: "abc", forkSession: true }, ["--resume=abc", "--fork-session"]],
  [{ continue: false, forkSession: false }, []],
  [{ model: "opus", permissionMode: "dontAsk" }, ["--model=opus", "--permission-mode=dontAsk"]],
  [{ model: "--dangerously-skip-permissions" }, ["--model=--dangerously-skip-permissions"]],
];

test.each([...CHOICES])("the choices %j add the flags %j", (config, args) => {
  expect(buildClaudeArgs(config).slice(6)).toEqual([...args]);
});

test.each([
  ["both sessionId and continue", { sessionId: "abc", continue: true }],
  ["a fork without a conversation", { forkSession: true }],
  ["a fork with an id of one's own only", { forkSession: true, sessionIdOverride: ID }],
  ["an id of one's own for a session that goes on", { sessionId: "abc", sessionIdOverride: ID }],
  ["an id of one's own for the newest session", { continue: true, sessionIdOverride: ID }],
  ["a resume point in no session", { resumeAt: ID }],
  ["a resume point in the newest session", { continue: true, forkSession: true, resumeAt: ID }],
])("buildClaudeArgs throws for %s", (_name, config) => {
  expect(() => buildClaudeArgs(config)).toThrow(/^cannot /);
});

/** The words that each option adds to the command line. */
const FLAGS: readonly (readonly [options: ArgumentOptions, args: readonly string[]])[] = [
  [{ system_prompt: "/a.txt" }, ["--system-prompt-file=/a.txt"]],
  [{ append_system_prompt: "/b.txt" }, ["--append-system-prompt-file=/b.txt"]],
  [
    { allowed_tools: ["Bash(git status:*)", "Read"] },
    ["--allowed-tools=Bash(git status:*)", "--allowed-tools=Read"],
  ],
  [{ allowed_tools: [] }, []],
  [{ disallowed_tools: ["Write"] }, ["--disallowed-tools=Write"]],
  [{ add_dirs: ["/d", "-e"] }, ["--add-dir=/d", "--add-dir=-e"]],
  [{ plugin_dirs: ["a", "b"] }, ["--plugin-dir=a", "--plugin-dir=b"]],
  [{ mcp_config: "/mcp.json" }, ["--mcp-config=/mcp.json"]],
  [{ settings: "/settings.json" }, ["--settings=/settings.json"]],
  [{ max_turns: 3 }, ["--max-turns=3"]],
  [{ max_budget_usd: 0.5 }, ["--max-budget-usd=0.5"]],
  [{ json_schema: { type: "object" } }, ['--json-schema={"type":"object"}']],
  [{ fallback_model: "haiku" }, ["--fallback-model=haiku"]],
  [{ effort: "low" }, ["--effort=low"]],
  [{ max_thinking_tokens: 0 }, ["--max-thinking-tokens=0"]],
  [
    {
      allowed_tools: ["Read"],
      host_tools: [
        { name: "free", description: "d", input_schema: {}, permission: "allow" },
        { name: "asks", description: "d", input_schema: {} },
      ],
    },
    ["--allowed-tools=Read", "--allowed-tools=mcp__host__free"],
  ],
  [{ hook_events: true }, ["--include-hook-events"]],
  [{ hook_events: false }, []],
  [{ worktree: "rows" }, ["--worktree=rows"]],
];

test.each([...FLAGS])("the options %j add the flags %j", (options, args) => {
  const plain = buildClaudeArgs({});
  const all = buildClaudeArgs({ options });
  expect(all.slice(0, plain.length)).toEqual(plain);
  expect(all.slice(plain.length)).toEqual([...args]);
});

/** Options that are not passed as flags. */
const NO_FLAGS: ArgumentOptions = {
  ...OPTION_DEFAULTS,
  env: { A: "1" },
  use_api_key: false,
  tool_input_deltas: true,
  forward_subagent_text: true,
  transcript_mirror: true,
  host_hooks: [{ hook_id: "guard", event: "PreToolUse" }],
  dialogs: ["a_kind"],
  prompt_timeout_ms: 1000,
};

test("options of tugtalk add no flags", () => {
  expect(buildClaudeArgs({ options: NO_FLAGS })).toEqual(buildClaudeArgs({}));
});

test("every option is tested as a flag or as no flag", () => {
  const shown = new Set([
    ...Object.keys(NO_FLAGS),
    ...FLAGS.flatMap(([options]) => Object.keys(options)),
  ]);
  expect([...shown].sort()).toEqual(Object.keys(SessionOptions.shape).sort());
});

const SECRET = "sk-ant-not-a-real-one";

/** The last flags for these options, and the files that were written for them. */
function secretsOf(options: SessionOptions) {
  const written: [name: string, text: string][] = [];
  const inFiles = withSecretsInFiles(options, (name, text) => {
    written.push([name, text]);
    return `/private/${name}`;
  });
  return { args: buildClaudeArgs({ options: inFiles }).slice(6), written };
}

test.each([
  ["an object", { mcpServers: { a: { env: { KEY: SECRET } } } }],
  ["JSON text", JSON.stringify({ env: { KEY: SECRET } })],
  ["JSON text after blanks", `\n  ${JSON.stringify({ env: { KEY: SECRET } })}`],
])("an option that may contain secrets is passed in a file when it is %s", (_name, value) => {
  const { args, written } = secretsOf({ mcp_config: value, settings: value });
  expect(args).toEqual([
    "--mcp-config=/private/mcp_config.json",
    "--settings=/private/settings.json",
  ]);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  expect(written).toEqual([
    ["mcp_config.json", text],
    ["settings.json", text],
  ]);
});

test("system prompts are passed in files, also an empty one", () => {
  const { args, written } = secretsOf({ system_prompt: "", append_system_prompt: "{ a\nb " });
  expect(args).toEqual([
    "--system-prompt-file=/private/system_prompt.txt",
    "--append-system-prompt-file=/private/append_system_prompt.txt",
  ]);
  expect(written).toEqual([
    ["system_prompt.txt", ""],
    ["append_system_prompt.txt", "{ a\nb "],
  ]);
});

test("an option that is a path is passed unchanged and no file is written", () => {
  const { args, written } = secretsOf({ mcp_config: "/mcp.json" });
  expect({ args, written }).toEqual({ args: ["--mcp-config=/mcp.json"], written: [] });
});
