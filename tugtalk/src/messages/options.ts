/**
 * The options of `protocol_init`. An unknown option is refused, because a misspelt safety option must not
 * be ignored. Claude gets options as arguments, in its environment or in `initialize`. Names that end in
 * `_ms`, `max_queued`, `tool_input_deltas` and `transcript_mirror` configure tugtalk itself.
 */
import { z } from "zod";
import { fieldsOf, parseJson } from "../base/json.ts";
import { jsonObject, jsonRecord } from "../base/json-schemas.ts";
import { HostHooks } from "./hook-messages.ts";
import { HOST_SERVER, NAME_IS_TAKEN } from "./host-server.ts";
import { hostToolList } from "./host-tool-messages.ts";
import {
  count,
  described,
  milliseconds,
  NUL_FREE,
  number,
  optionalFlag,
  text,
  worktreeName,
} from "./message-schemas.ts";

const names = z.array(text.min(1));
/** 0 means no limit. */
const limit = count.max(2_147_483_647);

/** Claude gets an object as JSON text; a string may be a path. */
const jsonOrPath = z.union([text.min(1), jsonObject]);

/** Whether a configuration that is no path has a server of the name that tugtalk has for Claude. */
function hasHostServer(config: unknown): boolean {
  const parsed = typeof config === "string" ? parseJson(config) : config;
  return Object.hasOwn(fieldsOf(fieldsOf(parsed)["mcpServers"]), HOST_SERVER);
}

export const SessionOptions = z
  .strictObject({
    ...described(text.optional(), {
      system_prompt:
        "Replaces Claude's system prompt. Any length: it is passed as a file that only its owner can read.",
      append_system_prompt: "Added at the end of the system prompt. Passed as a file, too.",
    }),
    ...described(names.optional(), {
      allowed_tools: "Tools that run without a prompt, as permission rules: `Bash(git status:*)`.",
      disallowed_tools: "Tools that are refused or removed, as permission rules.",
      add_dirs: "Further folders that tools may use.",
    }),
    ...described(jsonOrPath.optional(), {
      mcp_config:
        "MCP servers: an object `{mcpServers: …}` or the path of its file. An object is passed as a file that only its owner can read, never on the command line. Claude 2.1.38 exits silently on a bad path; newer ones explain.",
      settings:
        "Settings in Claude's format: an object or the path of its file. An object is passed as `mcp_config` is.",
    }),
    plugin_dirs: names.optional().describe("Folders of plugins to load."),
    max_turns: number
      .int()
      .positive()
      .optional()
      .describe(
        "The most model calls in one turn, which then ends as `error_max_turns`. Default: no limit. Claude 2.1.38 does not mark it as an error.",
      ),
    max_budget_usd: number
      .positive()
      .optional()
      .describe(
        "The most costs in US dollars; then the turn ends as `error_max_budget_usd`. Default: no limit. Claude 2.1.38 does not mark it as an error.",
      ),
    json_schema: jsonObject
      .optional()
      .describe(
        "JSON Schema of `turn_complete.structured_output`. Claude 2.1.38 retries without end when the model never complies.",
      ),
    ...described(text.min(1).optional(), {
      fallback_model:
        "The model to use while the chosen one is overloaded. Claude 2.1.38 changes it silently.",
      effort:
        "How hard to think: `low`, `medium`, `high` and further ones of newer CLIs. Default: Claude's. Models without efforts ignore it.",
    }),
    max_thinking_tokens: count
      .optional()
      .describe(
        "The most thinking tokens in one model call; 0: none. Default: Claude's. Models with adaptive thinking ignore it, among them the default model of Claude 2.1.330.",
      ),
    env: jsonRecord(text.nullable())
      .optional()
      .describe(
        "Environment variables for Claude, in addition to those of tugtalk; null removes one. `HOME` and `CLAUDE_CONFIG_DIR` also decide where past conversations are found.",
      ),
    ...described(optionalFlag, {
      use_api_key:
        "False removes `ANTHROPIC_API_KEY`, `ANTHROPIC_AUTH_TOKEN` and `CLAUDE_CODE_OAUTH_TOKEN` from the environment of Claude. Default: true.",
      tool_input_deltas:
        "True sends `tool_input_delta` while the input of a tool streams. Default: false.",
      hook_events:
        "True sends `hook_event` for all hooks, not only for SessionStart. Default: false. Since Claude 2.1.197; 2.1.38 does not start with it.",
      transcript_mirror:
        "True sends `transcript_lines`: the lines that Claude appends to the files of the conversation. Default: false.",
      forward_subagent_text:
        "True sends the texts and the thinking of foreground subagents too. Default: false. Since Claude 2.1.197; 2.1.38 ignores it.",
    }),
    prompt_timeout_ms: milliseconds
      .optional()
      .describe(
        "How long a prompt may stay open, in ms. Then it is refused, and for a permission or a question its turn is ended. Default: no limit.",
      ),
    dialogs: names
      .optional()
      .describe("The kinds of dialog that the host can show, by Claude's names. Default: none."),
    ...described(limit.optional(), {
      first_token_timeout_ms:
        "How long the first token of an answer may take, in ms, before the turn is `stalled`; 0: no limit. Default: 300000.",
      stream_timeout_ms:
        "How long an answer may pause, in ms, before the turn is `stalled`; 0: no limit. Default: 120000.",
    }),
    ...described(milliseconds.optional(), {
      interrupt_timeout_ms:
        "How long an interrupted turn may take to end, in ms, before Claude's process is ended. Default: 10000.",
      shutdown_grace_ms: "The time limit of each step of the shutdown, in ms. Default: 2000.",
    }),
    worktree: worktreeName
      .optional()
      .describe(
        "The name of a worktree of Claude's own. Claude works in `.claude/worktrees/<name>` of the Git repository of the folder, on the branch `worktree-<name>`, and makes both where they are missing. Nothing of it is removed at the end. Up to 64 letters, digits, `.`, `_` and `-`, the first of them a letter, a digit or `_`; no `..`, and neither `.` nor `.lock` at the end. Since Claude 2.1.197; 2.1.38 does not start with it.",
      ),
    host_tools: hostToolList
      .optional()
      .describe(
        "Tools of the host, which Claude calls by `host_tool_request`; at most 128 and 1 MiB. An MCP server of the name `host` in `mcp_config` is refused then. Default: none.",
      ),
    host_hooks: HostHooks.optional().describe(
      "Hooks of the host, which Claude waits for by `hook_request`; at most 64, for the life of the bridge. Default: none.",
    ),
    max_queued: number
      .int()
      .positive()
      .max(10_000)
      .optional()
      .describe(
        "How many user messages may be queued. Default: 100. With any number, they hold at most 64 Mi characters together.",
      ),
  })
  .superRefine(({ host_tools, mcp_config }, context) => {
    if (host_tools !== undefined && hasHostServer(mcp_config))
      context.addIssue({
        code: "custom",
        path: ["mcp_config"],
        message: NAME_IS_TAKEN,
      });
  })
  .meta({
    id: "SessionOptions",
    description:
      "The options of a session, all optional. Without a stated default, Claude's own default applies. An unknown option is refused. They apply to every process of the session.",
    ...NUL_FREE,
  });
export type SessionOptions = z.infer<typeof SessionOptions>;
