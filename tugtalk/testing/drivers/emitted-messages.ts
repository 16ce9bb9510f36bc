/** The messages that a session has emitted, and the lines that it has written. */

import { expect } from "bun:test";
import type { Fields } from "../../src/base/json.ts";
import { observe } from "../observer/observer.ts";
import type { Emitted, TestSession } from "./test-session.ts";

/** The answer to `protocol_init`, which the process sends and not the session. */
export const ACK: Fields = {
  type: "protocol_ack",
  ipc_version: 2,
  seq: 1,
  version: 2,
  instance_id: "00000000-0000-4000-8000-000000000000",
  tugtalk_version: "0.0.0",
  capabilities: { inbound: [] },
};

/** The emitted messages of these types, in order. */
export function emittedOf(
  { emitted }: TestSession,
  ...types: readonly Emitted["type"][]
): readonly (Emitted & Fields)[] {
  return emitted.filter(({ type }) => types.includes(type)) as (Emitted & Fields)[];
}

/** The messages emitted during an action. */
export async function emittedBy(
  session: TestSession,
  act: () => unknown,
): Promise<readonly (Emitted & Fields)[]> {
  const before = session.emitted.length;
  await act();
  await session.settle();
  return session.emitted.slice(before) as (Emitted & Fields)[];
}

/** The lines written to Claude during an action. */
export async function writtenBy(
  session: TestSession,
  act: () => unknown,
): Promise<readonly Fields[]> {
  const claude = session.claude();
  const before = claude.writes.length;
  await act();
  await session.settle();
  return claude.writes.slice(before);
}

/** The newest request of the bridge with this subtype. */
export function requestOf(
  session: TestSession,
  subtype: string,
): { readonly request_id: string } & Fields {
  const found = session
    .claude()
    .writes.findLast(({ request }) => (request as Fields | undefined)?.["subtype"] === subtype);
  if (found === undefined) throw new Error(`no ${subtype} was requested`);
  return found as { readonly request_id: string } & Fields;
}

/** Claude answers the newest request of this subtype. */
export function answerTo(
  session: TestSession,
  subtype: string,
  answer: Fields = {},
): Promise<void> {
  const { request_id } = requestOf(session, subtype);
  return session.claude().say({
    type: "control_response",
    response: { subtype: "success", request_id, ...answer },
  });
}

/** The host sends a user message. */
export function sayAsHost(session: TestSession, text: string, fields: Fields = {}): void {
  session.session.handleUserMessage({ type: "user_message", text, ...fields });
}

/** The emitted messages keep every guarantee. `isOver`: the last process has ended. */
export function expectGuarantees(session: TestSession, isOver = false): void {
  expect(observe({ received: [ACK, ...session.emitted], isOver })).toEqual([]);
}
