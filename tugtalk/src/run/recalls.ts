/** Messages that Claude is asked to return before it begins them. Contract: `cancel_message`, `now`, shutdown. */
import type { ClaudeRequests } from "../claude/claude-requests.ts";
import type { Turns } from "../conversation/turns.ts";
import { unsupportedIn } from "../messages/control-support.ts";

/** How long Claude may take to return a message, in ms. */
const TIMEOUT_MS = 30_000;

const SUBTYPE = "cancel_async_message";

export type RecallDeps = {
  readonly turns: Turns;
  readonly requests: ClaudeRequests;
  /** Claude has returned this message. */
  readonly onReturned: (messageId: string) => void;
};

export class Recalls {
  readonly #deps: RecallDeps;

  constructor(deps: RecallDeps) {
    this.#deps = deps;
  }

  /** Asks for these messages. False if some wait and this CLI returns none. */
  ask(reason: string, ids: readonly string[], claudeVersion: string | undefined): boolean {
    const { turns, requests, onReturned } = this.#deps;
    if (unsupportedIn(SUBTYPE, claudeVersion) !== undefined) return turns.waitingLoad.count === 0;
    for (const id of ids) {
      turns.recordRecall(reason, id);
      requests.ask({ subtype: SUBTYPE, message_uuid: id }, TIMEOUT_MS, (end) => {
        const isBack = end.kind === "answered" && end.answer.response?.["cancelled"] === true;
        if (isBack) onReturned(id);
      });
    }
    return true;
  }
}
