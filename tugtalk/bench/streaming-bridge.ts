/**
 * A stand-in for the bridge, where the host is what is measured: it starts no Claude and checks nothing.
 * The text of a user message is a `StreamPlan` as JSON, and it streams that; the pieces of text say when
 * they were written.
 */
import type { OutboundDraft } from "../src/types.ts";
import { type StreamPlan, streamedTurns } from "./streamed-turns.ts";

/** How many lines are written at once where nothing limits the speed. */
const BATCH = 50;

type Fields = Readonly<Record<string, unknown>>;

const host = Bun.stdout.writer();
let seq = 0;

function write(draft: OutboundDraft): void {
  seq += 1;
  host.write(`${JSON.stringify({ ...draft, ipc_version: 2, seq })}\n`);
}

/** What is waited for is that the host reads. */
async function writeAll(...drafts: readonly OutboundDraft[]): Promise<void> {
  for (const draft of drafts) write(draft);
  await host.flush();
}

async function take({ type, id, ...fields }: Fields): Promise<void> {
  const reply = typeof id === "string" ? { in_reply_to: id } : {};
  if (type === "protocol_init") await start(reply);
  if (type !== "user_message") return;
  const message_id = String(fields["message_id"]);
  await writeAll({ type: "message_status", message_id, status: "queued", ...reply });
  await stream(JSON.parse(String(fields["text"])), message_id);
}

async function start(reply: { readonly in_reply_to?: string }): Promise<void> {
  const session_id = crypto.randomUUID();
  const names = { instance_id: crypto.randomUUID(), tugtalk_version: "0.0.0", session_id };
  await writeAll(
    { type: "protocol_ack", version: 2, ...names, capabilities: { inbound: [] }, ...reply },
    { type: "process_started", pid: process.pid, args: [] },
    { type: "session_state", state: "starting" },
    { type: "session_init", session_id, mode: "new" },
    { type: "session_state", state: "idle" },
  );
}

async function stream(plan: StreamPlan, messageId: string): Promise<void> {
  let due = performance.now();
  let unwritten = 0;
  for (const draft of streamedTurns(plan, messageId)) {
    write(draft);
    unwritten += 1;
    const isPaced = plan.perSecond > 0;
    if (!isPaced && unwritten < BATCH) continue;
    unwritten = 0;
    await host.flush();
    if (!isPaced || draft.type !== "assistant_text") continue;
    due += 1000 / plan.perSecond;
    await Bun.sleep(Math.max(due - performance.now(), 0));
  }
  await host.flush();
}

/** Reads until the host closes the pipe; what streams then ends with this process. */
async function listen(): Promise<void> {
  for await (const line of console) if (line.trim() !== "") void take(JSON.parse(line));
}

await listen();
process.exit();
