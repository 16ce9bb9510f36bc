/** The prompts of Claude to a person: requests to the client, and one answer to Claude each. */
import { type AnswerMessage, deny, refuseElicitation } from "../../client/answers.ts";
import type { Unstamped } from "../../src/messages/envelope.ts";
import type { ErrorMessage } from "../../src/messages/error-message.ts";
import type { ClientEnd, OpenRequest } from "../client-end.ts";
import type { Before } from "../updates/file-diff.ts";
import type { MessageOf } from "../updates/update-state.ts";
import { type ClaudeRequest, firstStep } from "./first-step.ts";
import { visitId } from "./server-form.ts";
import type { Audience, Reply, Step } from "./step.ts";

export type AskingPorts = Audience & {
  readonly client: Pick<ClientEnd, "request" | "notify">;
  /** Gives the bridge the answer. */
  readonly answer: (message: AnswerMessage) => void;
};

/** Facts that only the session knows of a prompt. */
type Circumstances = {
  readonly sessionId: string;
  /** The text of the file that a call changes. */
  readonly before: Before;
};

/** A prompt whose answer Claude waits for. */
type Open = {
  readonly asked: ClaudeRequest;
  /** Undefined once Claude is answered. */
  request?: OpenRequest | undefined;
};

const CANCELLED = "The user has cancelled, so this was refused.";
const UNREADABLE = "The answer of the client could not be used, so this was refused.";

export class Asking {
  readonly #ports: AskingPorts;
  /** By the id of Claude's request, until the bridge says that it is closed. */
  readonly #open = new Map<string, Open>();

  constructor(ports: AskingPorts) {
    this.#ports = ports;
  }

  /** Asks in a session, which may be an agent's. */
  ask(asked: ClaudeRequest, { sessionId, before }: Circumstances): void {
    const open: Open = { asked };
    this.#open.set(asked.request_id, open);
    void this.#proceed(open, firstStep({ ...this.#ports, sessionId }, asked, before));
  }

  /** Claude needs no answer any more. */
  close(requestId: string): void {
    const open = this.#open.get(requestId);
    this.#open.delete(requestId);
    open?.request?.withdraw();
  }

  /** The client has cancelled the open turn. Claude's work in the background gets that as an answer: it would wait without end. */
  cancel(): void {
    for (const { asked } of [...this.#open.values()]) {
      this.close(asked.request_id);
      // The requests of a turn end with it.
      if (asked.turn_id === undefined) this.#ports.answer(refusalOf(asked, CANCELLED));
    }
  }

  /** A server has seen that a page was visited. */
  visited({
    mcp_server_name: server,
    elicitation_id: visit,
  }: MessageOf<"elicitation_complete">): void {
    const { client, sessionId, features } = this.#ports;
    const elicitationId = visitId(sessionId, server, visit);
    if (features.urls) client.notify("elicitation/complete", { elicitationId });
  }

  /** An error about an answer: Claude waits on. */
  rejected({ code, in_reply_to: id = "" }: Unstamped<ErrorMessage>): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.close(id);
    if (code === "bad_message") this.#ports.answer(refusalOf(open.asked, UNREADABLE));
  }

  async #proceed(open: Open, first: Step): Promise<void> {
    const { client, answer } = this.#ports;
    let step = first;
    while ("request" in step) {
      const { method, params } = step.request;
      open.request = client.request(method, params);
      const reply = await open.request.answer.then(
        (result): Reply => ({ result }),
        (): Reply => "failed",
      );
      if (this.#open.get(open.asked.request_id) !== open) return;
      step = step.next(reply);
    }
    open.request = undefined;
    answer(step.answer);
  }
}

function refusalOf(asked: ClaudeRequest, why: string): AnswerMessage {
  return asked.type === "elicitation_request"
    ? refuseElicitation(asked, "cancel")
    : deny(asked, why);
}
