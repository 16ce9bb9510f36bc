/** Forms that several tools may have asked for, and prompts beside a silent turn, with a real `claude`. */
import { expect, test } from "bun:test";
import type { ReplySource } from "../../simulator/reply-script.ts";
import type { Received } from "../drivers/bridge-process.ts";
import { expectEnd } from "./real-end.ts";
import { startGate } from "./real-gate.ts";
import {
  ASK_TOOL,
  as,
  callAgent,
  FORM,
  holdWhole,
  isAsk,
  promptSession as session,
  TOUCH,
  withSession,
} from "./real-prompts.ts";
import { callTool, isTurnEnd, ofType } from "./real-session.ts";

const callAsHost = () =>
  session().send({
    type: "control",
    subtype: "mcp_call",
    tool: ASK_TOOL,
    arguments: { question: "host?" },
  });
const accept = ({ request_id }: Received) =>
  session().send({ type: "elicitation_answer", request_id, action: "accept", content: {} });

/** A first turn, since the servers are connected by then. */
async function greet(): Promise<void> {
  session().say("MAIN: hello", "Hello.");
  await session().next(isTurnEnd);
}

/** Forms whose asker Claude does not name. */
export function realForms(version: string): void {
  withSession(version, {}, () => {
    listNestedForm();
    listNestedFormAtInterrupt();
    listOrphan();
  });
}

function listNestedForm(): void {
  test("a nested agent's form outlives the turn, also beside a call of the main conversation", async () => {
    using gate = startGate();
    const { say, next, bridge } = session();
    await greet();
    say(
      "MAIN: go",
      as("MAIN", callAgent("OUTER", true)),
      as("OUTER", callAgent("INNER", false)),
      as("MAIN", callTool("mcp__tide__wait", { url: gate.url }) as ReplySource),
      as("INNER", FORM),
      as("MAIN", "main done"),
      as("INNER", "inner done"),
      as("OUTER", "outer done"),
      as("MAIN", "woken"),
    );
    const prompt = await next(isAsk);
    await gate.reached;
    expect(prompt).not.toHaveProperty("turn_id");
    gate.open();
    expect(await next(isTurnEnd)).toMatchObject({ text: "main done" });
    expect(ofType(bridge.received, "control_request_cancel")).toEqual([]);
    accept(prompt);
    expect(await next("control_request_resolved")).toMatchObject({
      request_id: prompt["request_id"],
    });
    expect(await next(isTurnEnd)).toMatchObject({ trigger: "task", text: "woken" });
    await expectEnd(session());
  });
}

function listNestedFormAtInterrupt(): void {
  test("an interrupt closes the form of an agent inside a foreground agent", async () => {
    const { say, next, send } = session();
    await greet();
    say(
      "MAIN: go",
      as("MAIN", callAgent("OUTER", false)),
      as("OUTER", callAgent("INNER", false)),
      as("INNER", FORM),
    );
    const { request_id } = await next(isAsk);
    send({ type: "interrupt" });
    expect(await next("control_request_cancel")).toMatchObject({ request_id });
    expect(await next(isTurnEnd)).toMatchObject({ result: "cancelled" });
    await expectEnd(session());
  });
}

function listOrphan(): void {
  test("the form of an interrupted turn closes once the host's call is over, too", async () => {
    const { say, next, send } = session();
    await greet();
    const call = callAsHost();
    const ofHost = await next(isAsk);
    say("MAIN: go", as("MAIN", FORM));
    const ofTurn = await next(isAsk);
    send({ type: "interrupt" });
    expect(await next(isTurnEnd)).toMatchObject({ result: "cancelled" });
    accept(ofHost);
    const { request_id } = ofTurn;
    expect(await next("control_request_cancel")).toMatchObject({ request_id });
    expect(await next(({ in_reply_to }) => in_reply_to === call)).toMatchObject({ ok: true });
    say("MAIN: still there?", "Still here.");
    expect(await next(isTurnEnd)).toMatchObject({ text: "Still here." });
    await expectEnd(session());
  });
}

/** A turn that waits in silence while another asker's prompt is open. */
export function realSilentTurns(version: string): void {
  withSession(version, { first_token_timeout_ms: 2_500 }, () => {
    const expectStall = async () => {
      const { next, bridge } = session();
      expect(await next("error")).toMatchObject({ code: "claude_unresponsive" });
      expect(await next(isTurnEnd)).toMatchObject({ result: "cancelled" });
      expect(ofType(bridge.received, "process_exit")).toEqual([]);
    };
    const silence = as("MAIN", holdWhole("never").reply);

    test("a silent turn stalls while an agent in the background waits for a permission", async () => {
      const { say, next } = session();
      say("MAIN: go", as("MAIN", callAgent("OUTER", true)), as("OUTER", TOUCH), silence);
      expect(await next(isAsk)).not.toHaveProperty("turn_id");
      await expectStall();
    });

    test("a silent turn stalls while the form of a host's call is open", async () => {
      const { say, next } = session();
      await greet();
      callAsHost();
      await next(isAsk);
      say("MAIN: go", silence);
      await expectStall();
    });
  });
}
