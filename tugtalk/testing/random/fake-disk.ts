/**
 * Stands for the files of conversations: each round has a line with the newest id that the host has received.
 */
import type { PastConversations } from "../../src/history/past-conversations.ts";
import type { Fields } from "../observer/observed.ts";

type Next = PastConversations["transcript"]["next"];

export class FakeDisk {
  readonly #received: () => readonly Fields[];
  readonly #ends = new Map<string, number>();
  #isRoundOver = false;

  constructor(received: () => readonly Fields[]) {
    this.#received = received;
  }

  readonly next: Next = async (sessionIds) => {
    this.#isRoundOver = !this.#isRoundOver;
    const session_id = sessionIds.at(-1);
    if (!this.#isRoundOver || session_id === undefined) return undefined;
    const file = `${session_id}.jsonl`;
    const offset = this.#ends.get(file) ?? 0;
    const line = JSON.stringify({ uuid: this.#newestUuid() });
    this.#ends.set(file, offset + Buffer.byteLength(line) + 1);
    return { type: "transcript_lines", session_id, file, offset, lines: [line] };
  };

  #newestUuid(): unknown {
    return this.#received().findLast(({ type, uuid }) => type === "assistant_text" && uuid)?.[
      "uuid"
    ];
  }
}
