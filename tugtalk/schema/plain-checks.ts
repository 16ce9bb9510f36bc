/**
 * Makes the checks of plain values from the schemas: `*.generated.ts`, which the bridge loads in place of
 * zod. The schema of a passing value returns it unchanged, but for fields that nobody reads.
 */
import type { z } from "zod";
import { REQUESTS } from "../acp/request-schemas.ts";
import { InitializeAnswer } from "../src/messages/initialize-answer.ts";
import { TURN_NOTIFICATIONS } from "../src/messages/notification-turn.ts";
import { NOTIFICATIONS, type NotificationKind } from "../src/messages/notifications.ts";
import { AskUserQuestionInput, CLAUDE_LINES, PermissionRequest } from "../src/protocol-types.ts";
import { InboundMessage } from "../src/types.ts";
import {
  CheckWriter,
  type Definition,
  definitionOf,
  flattened,
  keyOf,
  shapeOf,
  typeOf,
} from "./check-writer.ts";

/** The notifications that Claude prints in ordinary sessions. */
const ORDINARY_NOTIFICATIONS: readonly NotificationKind[] = [
  "rate_limit_event",
  "system/hook_started",
  "system/hook_progress",
  "system/hook_response",
  "system/thinking_tokens",
  "command_lifecycle",
  "system/background_tasks_changed",
  "system/task_started",
  "system/task_progress",
  "system/task_notification",
  "system/task_updated",
];

/** The lines that come seldom. */
const RARE_LINES: ReadonlySet<string> = new Set(["transcript_mirror"]);
const RARE_MESSAGES: ReadonlySet<string> = new Set([
  ...["session_command", "control", "session_list", "session_history", "transcript_restore"],
  "host_tools",
]);

/** The default of each field that has one. */
function defaultsOf(
  shape: Readonly<Record<string, z.core.$ZodType>>,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(shape).map(([name, schema]) => [name, definitionOf(schema)]);
  return Object.fromEntries(
    (entries as [string, Definition][])
      .filter(([, { type }]) => type === "default")
      .map(([name, definition]) => [name, definition["defaultValue"]]),
  );
}

/** Our own fields, which a checked notification does not have. */
const COMMON = ["type", "turn_id", "parent_tool_use_id", "in_reply_to"];

function notificationRows(writer: CheckWriter): string {
  return ORDINARY_NOTIFICATIONS.map((kind) => {
    const { name, parsed } = NOTIFICATIONS[kind];
    const added = defaultsOf(parsed.shape);
    const hasAdded = Object.keys(added).length > 0;
    return [
      `  ${keyOf(kind)}: {`,
      `    name: ${JSON.stringify(name)},`,
      ...(hasAdded ? [`    added: ${JSON.stringify(added)},`] : []),
      `    isPlain: looseObject(${writer.fields(parsed.shape, "    ", ...COMMON)}),`,
      "  },\n",
    ].join("\n");
  }).join("");
}

function lineRows(writer: CheckWriter): string {
  return Object.entries(CLAUDE_LINES)
    .filter(([kind]) => !RARE_LINES.has(kind))
    .map(([kind, schema]) => {
      const named = kind.startsWith("system/") ? ["type", "subtype"] : ["type"];
      return `  ${keyOf(kind)}: looseObject(${writer.fields(schema.shape, "  ", ...named)}),\n`;
    })
    .join("");
}

function messageRows(writer: CheckWriter): string {
  return flattened(InboundMessage)
    .filter((schema) => !RARE_MESSAGES.has(typeOf(schema) ?? ""))
    .map((schema) => `  ${typeOf(schema)}: exactObject(${writer.fields(shapeOf(schema), "  ")}),\n`)
    .join("");
}

function requestRows(writer: CheckWriter): string {
  return Object.entries(REQUESTS)
    .map(([name, schema]) => `  ${name}: looseObject(${writer.fields(schema.shape, "  ")}),\n`)
    .join("");
}

/** The check of one schema, with the type of its values. */
function checkOf(writer: CheckWriter, schema: z.ZodObject, type: string): string {
  return `looseObject(${writer.fields(schema.shape, "")}) as Guard<${type}>`;
}

/** A file with these imports and constants, by their names and types. `source` is the path to `src`. */
function fileOf(
  writer: CheckWriter,
  imports: string,
  constants: Readonly<Record<string, string>>,
  source = "..",
): string {
  const guard = imports === "" ? [] : ["type Guard"];
  const used = ["looseObject", "type Check", ...guard, ...writer.used].filter(
    (name) => name !== CHANNEL,
  );
  const channel = writer.used.has(CHANNEL)
    ? `import { ${CHANNEL} } from "../messages/envelope.ts";\n`
    : "";
  return [
    "/** Made by `npm run plain` from the schemas, and not edited by hand. */\n",
    `import { ${[...new Set(used)].sort().join(", ")} } from "${source}/base/plain-value.ts";\n${channel}${imports}`,
    ...[...writer.named].map(([name, check]) => `\nconst ${name} = ${check};\n`),
    ...Object.entries(constants).map(([name, value]) => `\nexport const ${name} = ${value};\n`),
  ].join("");
}

const CHANNEL = "isChannelName";
const CHECK = "Check";
const ROW = "{ name: string; added?: object; isPlain: Check }";

function mapOf(value: string, rows: string): string {
  return `new Map(Object.entries<${value}>({\n${rows}}))`;
}

function setOf(names: readonly (string | undefined)[]): string {
  return `new Set(${JSON.stringify(names, null, 2)})`;
}

const TYPES = `import type { AskUserQuestionInput, PermissionRequest } from "../protocol-types.ts";
import type { InitializeAnswer } from "../messages/initialize-answer.ts";
`;

/** The files, by their paths from `tugtalk`. */
export function plainChecks(): Readonly<Record<string, string>> {
  const [claude, edge, acp] = [new CheckWriter(), new CheckWriter(), new CheckWriter()];
  return {
    "src/claude/plain-checks.generated.ts": fileOf(claude, TYPES, {
      [`PLAIN_LINES: ReadonlyMap<string, ${CHECK}>`]: mapOf(CHECK, lineRows(claude)),
      [`PLAIN_NOTIFICATIONS: ReadonlyMap<string, ${ROW}>`]: mapOf(ROW, notificationRows(claude)),
      "TURN_KINDS: ReadonlySet<string>": setOf(Object.keys(TURN_NOTIFICATIONS)),
      isPermission: checkOf(claude, PermissionRequest, "PermissionRequest"),
      isQuestions: checkOf(claude, AskUserQuestionInput, "AskUserQuestionInput"),
      isInitializeAnswer: checkOf(claude, InitializeAnswer, "InitializeAnswer"),
    }),
    "src/edge/plain-checks.generated.ts": fileOf(edge, "", {
      "INBOUND_TYPES: ReadonlySet<string>": setOf(flattened(InboundMessage).map(typeOf)),
      [`PLAIN_MESSAGES: ReadonlyMap<string, ${CHECK}>`]: mapOf(CHECK, messageRows(edge)),
    }),
    "acp/plain-checks.generated.ts": fileOf(
      acp,
      "",
      { [`PLAIN_REQUESTS: ReadonlyMap<string, ${CHECK}>`]: mapOf(CHECK, requestRows(acp)) },
      "../src",
    ),
  };
}
