/**
 * A stand-in for the bridge in measurements of the host: it starts no Claude and checks nothing. A line with
 * a channel is for a session of that channel, with or without `--multiplex`. The text of a user message is a
 * `StreamPlan` as JSON, which it streams. The pieces of text have the time of their writing.
 */
import type { Fields } from "../src/base/json.ts";
import { openStamp, type Stamp } from "../src/ipc.ts";
import type { OutboundDraft } from "../src/types.ts";
import { type StreamPlan, streamedTurns } from "./streamed-turns.ts";

/** The number of lines that are written at once if nothing limits the speed. */
const BATCH = 50;

const host = Bun.stdout.writer();

class StreamingSession {
  readonly #stamp: Stamp;

  constructor(channel: string | undefined) {
    this.#stamp = openStamp(channel);
  }

  async take({ type, id, ...fields }: Fields): Promise<void> {
    const reply = typeof id === "string" ? { in_reply_to: id } : {};
    if (type === "protocol_init") await this.#start(reply);
    if (type !== "user_message") return;
    const message_id = String(fields["message_id"]);
    await this.#writeAll({ type: "message_status", message_id, status: "queued", ...reply });
    await this.#stream(JSON.parse(String(fields["text"])), message_id);
  }

  async close(): Promise<void> {
    await this.#writeAll({ type: "channel_closed", exit_code: 0 });
  }

  #write(draft: OutboundDraft): void {
    host.write(this.#stamp.line(draft));
  }

  /** Waits until the host reads. */
  async #writeAll(...drafts: readonly OutboundDraft[]): Promise<void> {
    for (const draft of drafts) this.#write(draft);
    await host.flush();
  }

  async #start(reply: { readonly in_reply_to?: string }): Promise<void> {
    const session_id = crypto.randomUUID();
    const names = { instance_id: crypto.randomUUID(), tugtalk_version: "0.0.0", session_id };
    await this.#writeAll(
      { type: "protocol_ack", version: 2, ...names, capabilities: { inbound: [] }, ...reply },
      { type: "process_started", pid: process.pid, args: [] },
      { type: "session_state", state: "starting" },
      { type: "session_init", session_id, mode: "new" },
      { type: "session_state", state: "idle" },
    );
  }

  async #stream(plan: StreamPlan, messageId: string): Promise<void> {
    let due = performance.now();
    let unwritten = 0;
    for (const draft of streamedTurns(plan, messageId)) {
      this.#write(draft);
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
}

const sessions = new Map<string | undefined, StreamingSession>();

function sessionOf(channel: string | undefined): StreamingSession {
  const known = sessions.get(channel);
  if (known !== undefined) return known;
  const session = new StreamingSession(channel);
  sessions.set(channel, session);
  return session;
}

function take({ channel, ...message }: Fields): void {
  const session = sessionOf(typeof channel === "string" ? channel : undefined);
  void (message["type"] === "shutdown" ? session.close() : session.take(message));
}

/** Reads until the host closes the pipe; the streams then end with this process. */
async function listen(): Promise<void> {
  for await (const line of console) if (line.trim() !== "") take(JSON.parse(line));
}

await listen();
process.exit();
