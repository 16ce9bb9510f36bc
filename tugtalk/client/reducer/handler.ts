/** How a message of one type is applied: the fields that it must have, and its change of the state. */
import type { OutboundMessage } from "../../src/types.ts";
import type { Fields } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type { HostEvent, HostPromptMessage } from "../session-input.ts";
import { type Check, optional, text } from "./message-fields.ts";

type KnownMessage =
  | Exclude<OutboundMessage, { type: HostPromptMessage["type"] }>
  | HostPromptMessage
  | HostEvent;
export type KnownType = KnownMessage["type"];
export type MessageOf<Type extends KnownType> = Extract<KnownMessage, { type: Type }>;

/** Where in the transcript a message belongs. */
export type Scope = {
  readonly turn_id?: string | undefined;
  readonly parent_tool_use_id?: string | undefined;
};

/** Undefined: the message lacks a field of its type, or has another value there. */
export type Handler = (state: ReducedSession, message: Fields) => ReducedSession | undefined;

const PLACE_CHECKS = { turn_id: optional(text), parent_tool_use_id: optional(text) };

type NameIn<Message> = Message extends unknown ? Extract<keyof Message, string> : never;
type FieldsOf<Message, Name extends string> = Message extends unknown
  ? { readonly [Key in Name]: Key extends keyof Message ? Message[Key] : undefined }
  : never;

/** The handler of one type. `apply` sees only the fields that are checked. */
export function handler<Type extends KnownType, Name extends NameIn<MessageOf<Type>>>(
  type: Type,
  checks: Readonly<Record<Name, Check>>,
  apply: (
    state: ReducedSession,
    message: FieldsOf<MessageOf<Type>, Name> & Scope,
  ) => ReducedSession,
): readonly [Type, Handler] {
  const isTyped = checker(checks);
  const handle: Handler = (state, message) =>
    // The checks agree with the type of these fields.
    isTyped(message) ? apply(state, message as FieldsOf<MessageOf<Type>, Name> & Scope) : undefined;
  return [type, handle];
}

/** The handler of a type whose message is kept whole. `checks` has all fields that a reader may rely on. */
export function wholeHandler<Type extends KnownType>(
  type: Type,
  checks: Readonly<Record<string, Check>>,
  apply: (state: ReducedSession, message: MessageOf<Type>) => ReducedSession,
): readonly [Type, Handler] {
  const isTyped = checker(checks);
  const handle: Handler = (state, message) =>
    isTyped(message) ? apply(state, message as MessageOf<Type>) : undefined;
  return [type, handle];
}

function checker(checks: Readonly<Record<string, Check>>): (message: Fields) => boolean {
  const all = Object.entries<Check>({ ...PLACE_CHECKS, ...checks });
  return (message) => {
    for (const [name, check] of all) if (!check(message[name])) return false;
    return true;
  };
}
