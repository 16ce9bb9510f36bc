/**
 * Whether a message to the host is as its schema says, to the last field: by the schema in the sources,
 * and by the published `schema.json`.
 */
import { z } from "zod";
import { type Fields, isJsonObject } from "../../src/base/json.ts";
import { IPC_VERSION } from "../../src/messages/envelope.ts";
import { NOTIFICATIONS } from "../../src/messages/notifications.ts";
import { OutboundMessage } from "../../src/types.ts";
import { schemaFault } from "./schema-check.ts";

/** Messages without a fault: the observer would check the messages of `parseEmitted` again. */
const faultless = new WeakSet<object>();

/**
 * The faults of one message to the host, as sentences. A field that its schema does not declare
 * is a fault, unless the schema passes on Claude's fields. The messages of a `session_history_result`
 * are checked too.
 */
export function outboundFaults(message: unknown): readonly string[] {
  if (!isJsonObject(message)) return [`${JSON.stringify(message)} is no object`];
  if (faultless.has(message)) return [];
  const faults = [...shapeFaults(message), ...historyFaults(message)];
  if (faults.length === 0) faultless.add(message);
  return faults;
}

function shapeFaults(message: Fields): string[] {
  const published = schemaFault("OutboundMessage", message);
  return [...sourceFaults(message), ...(published === undefined ? [] : [published])];
}

function sourceFaults(message: Fields): string[] {
  const name = `${message["type"]} (seq ${message["seq"]})`;
  const parsed = OutboundMessage.safeParse(message);
  if (!parsed.success) return [`${name} breaks its schema:\n${reasonOf(message)}`];
  if (Bun.deepEquals(parsed.data, message)) return [];
  const paths = changedPaths(message, parsed.data);
  return [`${name} has fields that its schema lacks: ${paths.join(", ")}`];
}

/** Every schema with its type; some notifications share one. */
const SCHEMAS: readonly (readonly [type: string, schema: z.ZodType])[] = [
  ...OutboundMessage.options[0].options.map((schema) => [schema.shape.type.value, schema] as const),
  ...Object.values(NOTIFICATIONS).map(({ name, sent }) => [name, sent] as const),
];

/** The issues of the schema that fits best. The union itself lists the issues of all its members. */
function reasonOf(message: Fields): string {
  const errors = SCHEMAS.flatMap(([type, schema]) =>
    type === message["type"] ? (schema.safeParse(message).error ?? []) : [],
  );
  const [best] = errors.toSorted((one, other) => one.issues.length - other.issues.length);
  return best === undefined ? "there is no message of this type" : z.prettifyError(best);
}

/** The paths at which the schema has dropped or changed something. */
function changedPaths(before: unknown, after: unknown, path = ""): string[] {
  if (Bun.deepEquals(before, after)) return [];
  if (!isContainer(before) || !isContainer(after)) return [path];
  return Object.keys(before).flatMap((key) =>
    changedPaths(before[key], after[key], path === "" ? key : `${path}.${key}`),
  );
}

function isContainer(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** The messages of a past conversation are like messages of a live one, without number and version. */
function historyFaults({ type, messages }: Fields): string[] {
  if (type !== "session_history_result" || !Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown, at) => {
    if (!isJsonObject(message)) return [`message ${at} of a history is no object`];
    if ("seq" in message || "ipc_version" in message)
      return [`message ${at} of a history has a number or a version`];
    return shapeFaults({ ...message, ipc_version: IPC_VERSION, seq: at + 1 });
  });
}
