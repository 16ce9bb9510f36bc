/**
 * Commands for sessions that many hosts share: the host that holds or takes a session executes its commands.
 */
import { databaseAway } from "../api/api-error.ts";
import { logError } from "../api/host-log.ts";
import type { HostSessions } from "../api/host-session.ts";
import { DamagedSessionError } from "../journal/journal-error.ts";
import { Calls, type OpenCall } from "../journal/postgres/calls.ts";
import type { PostgresJournal } from "../journal/postgres/postgres-journal.ts";
import { type HeldSessions, LOST } from "./held-sessions.ts";
import type { HostGroup } from "./host-group.ts";
import { OUTCOME_UNKNOWN, RemoteCalls } from "./remote-calls.ts";
import {
  type CallReply,
  callSession,
  parseCall,
  replyOf,
  type SessionCall,
  type SessionMethod,
} from "./session-call.ts";
import type { SessionDirectory } from "./session-directory.ts";

type Ports = {
  readonly journal: PostgresJournal;
  readonly group: HostGroup;
  readonly held: HeldSessions;
  readonly directory: SessionDirectory;
  /** The commands for all sessions of a host. */
  readonly sessions: Pick<HostSessions, "fork" | "delete">;
};

/** The next host executes the command again, and recognizes an executed one by its id. */
const IS_LOST: ReadonlySet<string> = new Set([LOST.code, OUTCOME_UNKNOWN.code]);

export class SharedCommands {
  readonly #ports: Ports;
  readonly #calls: Calls;
  readonly #remote: RemoteCalls;

  constructor(ports: Ports) {
    this.#ports = ports;
    const { group } = ports;
    this.#calls = new Calls(ports.journal);
    this.#remote = new RemoteCalls({
      calls: this.#calls,
      ring: (name) => group.ring(name),
      hostId: () => group.id,
      check: (session) => ports.directory.checkReachable(session),
      run: (call) => this.#carryOut(call),
      report: logError,
    });
  }

  /** Executes a command here if this host can hold the session, or else at its holder. */
  async call(id: string, method: SessionMethod, args: readonly unknown[]): Promise<unknown> {
    this.checkLease();
    const held = await this.#ports.held.take(id);
    return held === undefined ? this.send(id, method, args) : callSession(held, method, args);
  }

  /** Sends a command to another host. */
  async send(id: string, method: SessionCall["method"], args: readonly unknown[]) {
    await this.#ports.directory.checkReachable(id);
    return this.#remote.send(id, { method, args: [...args] });
  }

  /** Throws an `ApiError` 503 if this host may take no session. */
  checkLease(): void {
    const { isValid, isReached } = this.#ports.group;
    if (isValid && isReached) return;
    throw databaseAway();
  }

  /** A bell with this name was rung. */
  hear(name: string): void {
    this.#remote.hear(name);
  }

  /** Executes the commands that wait for sessions of this host. */
  serve(): void {
    this.#remote.serve();
  }

  /** Takes the sessions that have waiting commands and no holder. */
  async look(): Promise<void> {
    for (const id of await this.#calls.ofNobody()) await this.#take(id);
    this.serve();
    await this.#calls.forgetOld();
  }

  /** A damaged session is refused to its caller, and does not delay other work. */
  async #take(id: string): Promise<void> {
    try {
      await this.#ports.held.take(id);
    } catch (error) {
      if (!(error instanceof DamagedSessionError)) throw error;
    }
  }

  /** Executes a command of another host. Undefined if this host does not hold the session any more. */
  async #carryOut({ session, call: text }: OpenCall): Promise<CallReply | undefined> {
    const reply = await replyOf(() => this.#run(session, parseCall(text)), logError);
    return "refusal" in reply && IS_LOST.has(reply.refusal.code) ? undefined : reply;
  }

  async #run(id: string, { method, args }: SessionCall): Promise<unknown> {
    const { held, sessions } = this.#ports;
    // A damaged session can be deleted, too.
    if (method === "delete" && held.has(id)) return sessions.delete(id);
    const session = held.get(id);
    if (session === undefined || method === "delete") throw LOST;
    if (method === "hand_over") return held.handOver(id, args[0] === true);
    if (method !== "fork") return callSession(session, method, args);
    const [at] = args;
    return (await sessions.fork(id, typeof at === "string" ? at : undefined)).id;
  }
}
