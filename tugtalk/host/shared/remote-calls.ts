/**
 * Commands for sessions that other hosts hold. They wait in the database until a host that holds or takes the
 * session has answered them. If a host dies, the next one executes again a command that the dead one may have
 * begun. Each command either may come twice, or has an id of its own that shows the repetition. A command
 * without an answer is withdrawn, so that its client knows whether it can still be executed.
 */
import { randomUUID } from "node:crypto";
import { ApiError } from "../api/api-error.ts";
import { CALL, REPLY, rungFor } from "../journal/postgres/bell-names.ts";
import {
  type Calls,
  MAX_WAIT_MS,
  type OpenCall,
  type Withdrawn,
} from "../journal/postgres/calls.ts";
import { Rounds } from "./rounds.ts";
import { answeredBy, type CallReply, type SessionCall } from "./session-call.ts";

/** For how long an unreachable database is asked to withdraw a command: it may only be restarting. */
export const MAX_WITHDRAWAL_MS = 5_000;
const RETRY_MS = 250;
/** How often a host looks for an answer without a bell. */
const LOOK_MS = 1_000;

/** A client that repeats the command may have it executed twice, unless it has an id of its own. */
export const OUTCOME_UNKNOWN = new ApiError(
  504,
  "outcome_unknown",
  "the host that has this session may have carried this out, but its answer is lost: look at the session before you try again",
);

type Limits = {
  /** How long a command waits for an answer. */
  readonly waitMs: number;
  readonly withdrawalMs: number;
};

type Ports = {
  readonly calls: Pick<Calls, "ask" | "takeFor" | "answer" | "replyTo" | "withdraw" | "forget">;
  readonly ring: (name: string) => void;
  readonly hostId: () => string;
  /** Rejects with an `ApiError` if the session is gone, or no living host can answer for it. */
  readonly check: (session: string) => Promise<void>;
  /** Executes a command. Undefined if this host does not hold the session any more. Never rejects. */
  readonly run: (call: OpenCall) => Promise<CallReply | undefined>;
  readonly report: (error: unknown) => void;
};

/** A command of another host in execution. */
type TakenCall = {
  reply: CallReply | undefined;
  /** The reply is in the database. */
  isAnswered: boolean;
};

export class RemoteCalls {
  readonly #ports: Ports;
  readonly #limits: Limits;
  /** By the id of the waiting command. */
  readonly #waiting = new Map<string, () => void>();
  /** By the id of the command. */
  readonly #taken = new Map<string, TakenCall>();
  readonly #rounds = new Rounds(() => this.#serveAll());

  constructor(
    ports: Ports,
    limits: Limits = { waitMs: MAX_WAIT_MS, withdrawalMs: MAX_WITHDRAWAL_MS },
  ) {
    this.#ports = ports;
    this.#limits = limits;
  }

  /** Gives the answer of the session's holder. Rejects with an `ApiError` or a `JournalError`. */
  async send(session: string, call: SessionCall): Promise<unknown> {
    const id = randomUUID();
    const reply = this.#ask({ id, session, call: JSON.stringify(call) });
    return answeredBy(await reply.catch((reason) => this.#giveUp(id, session, reason)));
  }

  async #ask(call: OpenCall): Promise<string> {
    const { calls, ring, report } = this.#ports;
    const end = performance.now() + this.#limits.waitMs;
    await calls.ask(call);
    ring(`${CALL}${call.session}`);
    try {
      const reply = await this.#reply(call, end);
      await calls.forget(call.id).catch(report);
      return reply;
    } finally {
      this.#waiting.delete(call.id);
    }
  }

  async #reply({ id, session }: OpenCall, end: number): Promise<string> {
    while (performance.now() < end) {
      const heard = Promise.withResolvers<void>();
      this.#waiting.set(id, heard.resolve);
      const reply = await this.#ports.calls.replyTo(id);
      if (reply === undefined) throw OUTCOME_UNKNOWN;
      if (reply !== null) return reply;
      const waited = Bun.sleep(LOOK_MS).then(() => true);
      const isSilent = await Promise.race([heard.promise, waited]);
      if (isSilent === true) await this.#ports.check(session);
    }
    throw new ApiError(503, "no_answer", "the host that has this session does not answer");
  }

  /** Rejects with the reason only if the command was not executed and cannot be any more. */
  async #giveUp(id: string, session: string, reason: unknown): Promise<string> {
    const withdrawn = await this.#withdraw(id, session);
    if (withdrawn?.reply !== undefined) return withdrawn.reply;
    throw withdrawn?.isTaken === false ? reason : OUTCOME_UNKNOWN;
  }

  /** Undefined if the database is away. */
  async #withdraw(id: string, session: string): Promise<Withdrawn | undefined> {
    const end = performance.now() + this.#limits.withdrawalMs;
    for (;;) {
      try {
        return await this.#ports.calls.withdraw(id, session);
      } catch (error) {
        if (performance.now() < end) await Bun.sleep(RETRY_MS);
        else return void this.#ports.report(error);
      }
    }
  }

  /** A bell with this name was rung. */
  hear(name: string): void {
    if (rungFor(CALL, name) !== undefined) this.serve();
    this.#waiting.get(rungFor(REPLY, name) ?? "")?.();
  }

  /** Executes the commands that wait for sessions of this host. */
  serve(): void {
    void this.#rounds.ask();
  }

  async #serveAll(): Promise<void> {
    const { calls, hostId, report } = this.#ports;
    const answered = [...this.#taken].filter(([, { isAnswered }]) => isAnswered);
    try {
      // Each command begins before the next is taken, so that those of one session run in the order of the
      // rows.
      for (const call of await calls.takeFor(hostId())) void this.#take(call);
      // Kept until the next look: rows that were read before the answer would start the command again.
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
      // The next look writes the reply.
      report(error);
    }
  }
}
