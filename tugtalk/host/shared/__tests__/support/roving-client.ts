/** A client that gives a command to one host after the other, until one has answered. */
import type { HostCommand } from "../../../../client/host-routes.ts";
import type { Fields } from "../../../../testing/drivers/host-clients.ts";
import type { HttpAnswer } from "../../../../testing/drivers/http-answer.ts";
import { within } from "./roving-follower.ts";
import { type SharedWorld, TAKEOVER_MS } from "./shared-world.ts";

/** The host that gets a command first, and whether the next host gets it at the same time. */
export type Way = { readonly host: number; readonly isTwice: boolean };

const ANSWER_MS = 2_500;
const RETRY_MS = 100;

export class RovingClient {
  readonly #world: SharedWorld;
  #refusal = "";

  constructor(world: SharedWorld) {
    this.#world = world;
  }

  /** Gives the accepted answer, or both. Rejects if an answer is another one, or no host answers. */
  async run(
    command: HostCommand,
    fields: Fields,
    { host, isTwice }: Way,
    expected: readonly number[],
  ): Promise<readonly HttpAnswer[]> {
    const beganAt = performance.now();
    for (let tries = host; ; tries += 1) {
      const hosts = isTwice ? [tries, tries + 1] : [tries];
      const asked = await Promise.all(hosts.map((at) => this.#ask(at, command, fields)));
      const answers = asked.filter((answer) => answer !== undefined);
      const strange = answers.find(({ status }) => !expected.includes(status));
      if (strange !== undefined)
        throw new Error(`${command}: ${strange.status} ${JSON.stringify(strange.body)}`);
      if (answers.length > 0) return answers;
      const waitedMs = performance.now() - Math.max(beganAt, this.#world.changedAt);
      if (waitedMs > TAKEOVER_MS) throw new Error(`${command} is done nowhere: ${this.#refusal}`);
      await Bun.sleep(RETRY_MS);
    }
  }

  /** Undefined if the client has to try another host. */
  async #ask(at: number, command: HostCommand, fields: Fields): Promise<HttpAnswer | undefined> {
    try {
      const answer = await within(ANSWER_MS, this.#world.hostAt(at).run(command, fields));
      if (answer.status < 500) return answer;
      this.#refusal = `${at}: ${JSON.stringify(answer.body)}`;
    } catch (error) {
      this.#refusal = `${at}: ${String(error)}`;
    }
    return undefined;
  }
}
