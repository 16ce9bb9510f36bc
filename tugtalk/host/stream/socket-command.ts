/** The commands of a client on its WebSocket: `{id, cmd, s?, …fields}`. */
import { z } from "zod";
import { parseJson } from "../../client/claude-value.ts";
import { HOST_ROUTES, type HostCommand } from "../../client/host-routes.ts";
import { isDeeperThan, MAX_DEPTH } from "../../src/base/json-depth.ts";
import { ApiError, badField } from "../api/api-error.ts";
import { badIssue } from "../api/command.ts";
import { MAX_BODY_BYTES, MAX_MESSAGE_BYTES } from "../api/command-limits.ts";
import { BOARD } from "./board.ts";
import type { After } from "./subscription.ts";

/** The client chooses it, and the answer repeats it. */
export type CommandId = string | number;

export type SocketCommand =
  | { readonly cmd: "hello"; readonly name: string }
  | { readonly cmd: "subscribe"; readonly session: string; readonly after: After }
  | { readonly cmd: "unsubscribe"; readonly session: string }
  | {
      readonly cmd: "run";
      readonly name: HostCommand;
      readonly fields: Readonly<Record<string, unknown>>;
    };

/** The fields of each command. */
const framed = { id: z.union([z.string().max(200), z.number()]), cmd: z.string() };

const Envelope = z.looseObject({
  ...framed,
  s: z.string().optional(),
});

const Hello = z.strictObject({ ...framed, name: z.string().trim().min(1).max(100) });

/** `0` is the place before the first kept entry. */
const Subscribe = z.strictObject({
  ...framed,
  s: z.string(),
  after: z
    .union([z.literal(0), z.strictObject({ epoch: z.int().min(0), seq: z.int().min(0) })])
    .optional(),
});

const Unsubscribe = z.strictObject({ ...framed, s: z.string() });

/** A command with its id, or the refusal; without an `id` if the client gave no valid one. */
export type ParsedCommand =
  | { readonly id: CommandId; readonly command: SocketCommand }
  | { readonly id?: CommandId | undefined; readonly refusal: ApiError };

export function parseSocketCommand(message: string | Uint8Array): ParsedCommand {
  const text = textOf(message);
  const value = parseJson(text);
  if (value === undefined) {
    return { refusal: new ApiError(400, "bad_json", "the command is not JSON") };
  }
  const envelope = Envelope.safeParse(value);
  if (!envelope.success) return { id: idOf(value), refusal: badIssue(envelope.error) };
  // `Envelope` drops this key.
  if (Object.hasOwn(Object(value), "__proto__"))
    return { id: envelope.data.id, refusal: badField("__proto__", "is not known here") };
  const { id } = envelope.data;
  const maxBytes = envelope.data.cmd === "message" ? MAX_MESSAGE_BYTES : MAX_BODY_BYTES;
  if (Buffer.byteLength(text) > maxBytes) {
    return { id, refusal: new ApiError(413, "too_large", `larger than ${maxBytes} bytes`) };
  }
  if (isDeeperThan(MAX_DEPTH, value)) {
    const message = `the command is nested deeper than ${MAX_DEPTH} levels`;
    return { id, refusal: new ApiError(400, "bad_json", message) };
  }
  const command = commandOf(envelope.data);
  return command instanceof ApiError ? { id, refusal: command } : { id, command };
}

function commandOf(envelope: z.infer<typeof Envelope>): SocketCommand | ApiError {
  switch (envelope.cmd) {
    case "hello":
      return parsed(Hello, envelope, ({ name }) => ({ cmd: "hello", name }));
    case "subscribe":
      return parsed(Subscribe, envelope, subscribeCommand);
    case "unsubscribe":
      return parsed(Unsubscribe, envelope, ({ s }) => ({ cmd: "unsubscribe", session: s }));
    default:
      return routeCommand(envelope);
  }
}

function subscribeCommand({ s, after }: z.infer<typeof Subscribe>): SocketCommand | ApiError {
  if (s === BOARD && after !== undefined) return badField("after", "all sessions have no cursor");
  return { cmd: "subscribe", session: s, after: after === 0 ? "start" : after };
}

function parsed<Fields>(
  schema: z.ZodType<Fields>,
  envelope: object,
  make: (fields: Fields) => SocketCommand | ApiError,
): SocketCommand | ApiError {
  const result = schema.safeParse(envelope);
  return result.success ? make(result.data) : badIssue(result.error);
}

/** The session is `s` on the WebSocket and `id` in the fields of a command. */
function routeCommand({
  id: _,
  cmd,
  s,
  ...fields
}: z.infer<typeof Envelope>): SocketCommand | ApiError {
  if (!isHostCommand(cmd)) {
    return new ApiError(404, "unknown_command", `there is no command ${JSON.stringify(cmd)}`);
  }
  return { cmd: "run", name: cmd, fields: s === undefined ? fields : { ...fields, id: s } };
}

function isHostCommand(name: string): name is HostCommand {
  return Object.hasOwn(HOST_ROUTES, name);
}

/** The text of a message. Bytes that cannot be decoded count as invalid JSON. */
function textOf(message: string | Uint8Array): string {
  if (typeof message === "string") return message;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(message);
  } catch {
    return "";
  }
}

function idOf(value: unknown): CommandId | undefined {
  return Envelope.pick({ id: true }).safeParse(value).data?.id;
}
