/** The lines to a Claude that it has not dealt with, and the answers that it got. */
import type { FakeClaude } from "../drivers/fake-claude.ts";
import { type Fields, fieldsOf } from "../observer/observed.ts";
import type { Request } from "./model-answers.ts";
import { type Handed, textOf } from "./model-lines.ts";

export class ModelInput {
  /** Requests of the bridge, the oldest first. */
  readonly requests: Request[] = [];
  /** Messages that no turn has begun, the oldest first. */
  readonly waiting: Handed[] = [];
  readonly #claude: FakeClaude;
  readonly #answers = new Map<unknown, Fields>();
  #read = 0;

  constructor(claude: FakeClaude) {
    this.#claude = claude;
  }

  /** Reads the new lines of the bridge. `isLate`: their messages arrive during a turn. */
  read(isLate: boolean): void {
    for (const line of this.#claude.writes.slice(this.#read)) {
      const { type, uuid, message, response } = line;
      if (type === "user") this.waiting.push({ uuid: String(uuid), text: textOf(message), isLate });
      else if (type === "control_request") this.requests.push(line as Request);
      else
        this.#answers.set(
          fieldsOf(response)["request_id"],
          fieldsOf(fieldsOf(response)["response"]),
        );
    }
    this.#read = this.#claude.writes.length;
  }

  /** The answer to a request of Claude. */
  answerTo(requestId: string | undefined): Fields | undefined {
    return this.#answers.get(requestId);
  }

  areAnswered(requestIds: readonly string[]): boolean {
    return requestIds.every((id) => this.#answers.has(id));
  }
}
