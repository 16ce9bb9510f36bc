/**
 * Commands for sessions that other hosts hold. They wait in the database until the host that holds the
 * session, or takes it, has answered them. What a host that died may have begun is done again by the next
 * one: each command either says the same twice, or is told apart by an id of its own.
 */
import { randomUUID } from "node:crypto";
import { ApiError } from "../api/api-error.ts";
import type { Calls, OpenCall } from "../journal/postgres/calls.ts";
import { CALL, REPLY, rungFor } from "./bell-names.ts";
import { Rounds } from "./rounds.ts";
import { answeredBy, type CallReply, type SessionCall } from "./session-call.ts";

/** How long a command waits for a host that answers it. */
const MAX_WAIT_MS = 120_000;
/** How often is looked for an answer that no bell has told of. */
const LOOK_MS = 1_000;

type Ports = {
  readonly calls: Pick<Calls, "ask" | "openFor" | "answer" | "replyTo" | "forget">;
  readonly ring: (name: string) => void;
  readonly hostId: () => string;
  /** Rejects with an `ApiError` where the session is gone, or no host that lives can answer for it. */
  readonly check: (session: string) => Promise<void>;
  /** Carries out a command. Undefined where this host does not hold the session any more. Never rejects. */
  readonly run: (call: OpenCall) => Promise<CallReply | undefined>;
  readonly report: (error: unknown) => void;
};

/** A command of another host that is carried out. */
type TakenCall = {
  reply: CallReply | undefined;
  /** The reply is in the database. */
  isAnswered: boolean;
};

export class RemoteCalls {
  readonly #ports: Ports;
  /** By the id of a command that waits. */
  readonly #waiting = new Map<string, () => void>();
  /** By the id of the command. */
  readonly #taken = new Map<string, TakenCall>();
  readonly #rounds = new Rounds(() => this.#serveAll());

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Gives what the host that holds the session has answered. Rejects with an `ApiError`. */
  async send(session: string, call: SessionCall): Promise<unknown> {
    const { calls, ring } = this.#ports;
    const id = randomUUID();
    await calls.ask({ id, session, call: JSON.stringify(call) });
    ring(`${CALL}${session}`);
    try {
      return answeredBy(await this.#reply(id, session));
    } finally {
      this.#waiting.delete(id);
      // Who takes the session next is not to find it.
      await calls.forget(id).catch(this.#ports.report);
    }
  }

  async #reply(id: string, session: string): Promise<string> {
    const end = performance.now() + MAX_WAIT_MS;
    while (performance.now() < end) {
      const heard = Promise.withResolvers<void>();
      this.#waiting.set(id, heard.resolve);
      const reply = await this.#ports.calls.replyTo(id);
      if (reply !== undefined) return reply;
      const waited = Bun.sleep(LOOK_MS).then(() => true);
      const isSilent = await Promise.race([heard.promise, waited]);
      if (isSilent === true) await this.#ports.check(session);
    }
    throw new ApiError(504, "no_answer", "the host that has this session does not answer");
  }

  /** A bell with this name was rung. */
  hear(name: string): void {
    if (rungFor(CALL, name) !== undefined) this.serve();
    this.#waiting.get(rungFor(REPLY, name) ?? "")?.();
  }

  /** Carries out what waits for sessions that this host holds. */
  serve(): void {
    void this.#rounds.ask();
  }

  async #serveAll(): Promise<void> {
    const { calls, hostId, report } = this.#ports;
    const answered = [...this.#taken].filter(([, { isAnswered }]) => isAnswered);
    try {
      // Each is begun before the next, so that those of one session happen in the order of the rows.
      for (const call of await calls.openFor(hostId())) void this.#take(call);
      // Not when they are answered: rows that were read before that would have them carried out again.
      for (const [id] of answered) this.#taken.delete(id);
    } catch (error) {
      report(error);
    }
  }

  async #take(call: OpenCall): Promise<void> {
    const before = this.#taken.get(call.id);
    const taken = before ?? { reply: undefined, isAnswered: false };
    this.#taken.set(call.id, taken);
    if (before === undefined) taken.reply = await this.#ports.run(call);
    else if (before.reply === undefined || before.isAnswered) return;
    if (taken.reply === undefined) this.#taken.delete(call.id);
    else await this.#answer(call.id, taken);
  }

  async #answer(id: string, taken: TakenCall): Promise<void> {
    const { calls, ring, report } = this.#ports;
    try {
      await calls.answer(id, JSON.stringify(taken.reply));
      taken.isAnswered = true;
      ring(`${REPLY}${id}`);
    } catch (error) {
      // It is written when calls are looked for again.
      report(error);
    }
  }
}
