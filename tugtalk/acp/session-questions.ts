/** Claude's questions to the client in one session. The first question loads the part that asks. */
import type { OutboundDraft } from "../src/types.ts";
import type { Asking, AskingPorts } from "./asking/asking.ts";
import type { ClaudeRequest } from "./asking/first-step.ts";
import { openAsking } from "./late-parts.ts";
import type { Before } from "./updates/file-diff.ts";

type Ports = AskingPorts & {
  /** The session in which the client is asked: the session of an agent, or the whole one. */
  readonly sessionOf: (asked: ClaudeRequest) => string;
};

export class SessionQuestions {
  readonly #ports: Ports;
  /** Undefined before the first question. */
  #asking: Asking | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Asks, or withdraws a question. `before` is the text of the file that a call is about to change. */
  handle(message: OutboundDraft, before: Before): void {
    switch (message.type) {
      case "control_request_forward":
      case "elicitation_request":
        this.#begun.ask(message, { before, sessionId: this.#ports.sessionOf(message) });
        break;
      case "control_request_resolved":
      case "control_request_cancel":
        this.#asking?.close(message.request_id);
        break;
      case "elicitation_complete":
        this.#begun.visited(message);
        break;
      case "error":
        this.#asking?.rejected(message);
    }
  }

  /** The client has cancelled the open turn. */
  cancel(): void {
    this.#asking?.cancel();
  }

  get #begun(): Asking {
    this.#asking ??= openAsking(this.#ports);
    return this.#asking;
  }
}
