/** The sessions of the agent: begun, resumed, loaded, closed and deleted. One for each id. */
import type { HostEnd } from "../src/edge/host-end.ts";
import type { SessionChoice } from "../src/messages/protocol-init.ts";
import { AcpSession } from "./acp-session.ts";
import type { ClientFeatures } from "./client-features.ts";
import { AcpError } from "./json-rpc.ts";
import { type Kept, type KeptSessions, type Source, sourceOf } from "./kept-sessions.ts";
import { late } from "./late.ts";
import type { PastSessions } from "./past-sessions.ts";
import type { ExistingSession, NewSession } from "./request-schemas.ts";
import { SessionConversations } from "./session-conversations.ts";
import type { OpenedBridge, SessionPorts } from "./session-ports.ts";

export type SessionsPorts = Omit<SessionPorts, "openBridge" | "features" | "conversations"> & {
  /** Opens a bridge for a session in this folder. */
  readonly openBridge: (dir: string, host: HostEnd) => OpenedBridge;
  /** Rejects unless the path is a folder. */
  readonly checkFolder: (path: string) => Promise<void>;
  readonly past: () => PastSessions;
  readonly store: KeptSessions;
  readonly onFault: (message: string) => void;
};

/** With which conversation a session begins. */
type Beginning = {
  readonly choice: SessionChoice;
  /** Undefined where no transcript has the id of the session. */
  readonly kept?: Kept;
  /** The conversation that it is a copy of. */
  readonly copied?: Source;
  /** A step before Claude starts. */
  readonly prepare?: ((session: AcpSession) => Promise<void>) | undefined;
};

/** Parameters of a request, with the features of the client. */
type WithFeatures<Params> = Params & { readonly features: ClientFeatures };
type Wanted = WithFeatures<Pick<ExistingSession, "cwd" | "additionalDirectories" | "mcpServers">>;

export class OpenSessions {
  readonly #ports: SessionsPorts;
  readonly #sessions = new Map<string, AcpSession>();
  /** All sessions with a bridge, also while they start or close. */
  readonly #all = new Set<AcpSession>();
  #isOver = false;

  constructor(ports: SessionsPorts) {
    this.#ports = ports;
  }

  /** Undefined unless it is open. */
  find(id: string): AcpSession | undefined {
    return this.#sessions.get(id);
  }

  /** Throws -32002 unless it is open. */
  get(id: string): AcpSession {
    const session = this.#sessions.get(id);
    if (session !== undefined) return session;
    throw new AcpError("notFound", "no open session has this id", { sessionId: id });
  }

  begin(wanted: WithFeatures<NewSession>): Promise<AcpSession> {
    const id = this.#ports.newId();
    const choice = { mode: "new", session_id: id } as const;
    return this.#start(id, wanted, async () => ({ choice }));
  }

  /** A copy of a session, open or not, under a new id. */
  fork(wanted: WithFeatures<ExistingSession>): Promise<AcpSession> {
    const { past, newId } = this.#ports;
    const id = newId();
    return this.#start(id, wanted, async () => {
      const source = sourceOf(await past().find(wanted.sessionId));
      // A copy of a session that was never begun is new.
      if (!(await past().hasTranscript(source.id)))
        return { choice: { mode: "new", session_id: id } };
      const end = source.end ?? (await past().end(source.id, wanted.cwd));
      const copied = { id: source.id, end };
      return { choice: await this.#copyOf(copied, wanted.cwd), copied };
    });
  }

  /** Goes on with a session. An open session stays as it is. */
  async resume(wanted: WithFeatures<ExistingSession>): Promise<AcpSession> {
    return this.find(wanted.sessionId) ?? this.#resume(wanted);
  }

  /** Goes on with a session, and sends its past. An open session gets no second Claude. */
  async load(wanted: WithFeatures<ExistingSession>): Promise<AcpSession> {
    const open = this.find(wanted.sessionId);
    if (open === undefined) return this.#resume(wanted, (session) => this.#prepare(session));
    await this.#sendPast(open);
    return open;
  }

  /** Ends the Claude of a session that is open. */
  async close(id: string): Promise<void> {
    await this.#close(this.get(id));
  }

  /** Closes a session, and deletes its files. */
  async delete(id: string): Promise<void> {
    const open = this.find(id);
    if (open === undefined) await this.#ports.past().find(id);
    else await this.#close(open);
    await this.#ports.past().remove(id);
  }

  /** Ends all. Resolves when every Claude is gone. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#all].map((session) => this.#end(session)));
  }

  /** Ends every Claude at once. */
  closeNow(): void {
    this.#isOver = true;
    for (const session of this.#all) session.close();
  }

  fault(thrown: unknown): void {
    for (const session of this.#all) session.fault(thrown);
  }

  /** The client gets no update of a session that cannot start. */
  async #prepare(session: AcpSession): Promise<void> {
    await this.#ports.checkFolder(session.dir);
    await this.#sendPast(session);
  }

  #sendPast(session: AcpSession): Promise<void> {
    return session.sendPast((source) => this.#ports.past().transcript(source, session.dir));
  }

  #resume(
    wanted: WithFeatures<ExistingSession>,
    prepare?: Beginning["prepare"],
  ): Promise<AcpSession> {
    const { sessionId } = wanted;
    const beginning = async (): Promise<Beginning> => {
      const kept = await this.#ports.past().find(sessionId);
      return { choice: await this.#choiceOf(kept, wanted.cwd), kept, prepare };
    };
    return this.#start(sessionId, wanted, beginning);
  }

  /** A conversation that was never begun is new, with its id. */
  async #choiceOf(kept: Kept, dir: string): Promise<SessionChoice> {
    const source = sourceOf(kept);
    const { id: session_id } = source;
    if (kept.forked_from !== undefined) return this.#copyOf(source, dir);
    const isBegun = await this.#ports.past().hasTranscript(session_id);
    return { mode: isBegun ? "resume" : "new", session_id };
  }

  /** Claude copies the whole conversation, unless `at_message` names its end. */
  async #copyOf({ id: session_id, end }: Source, dir: string): Promise<SessionChoice> {
    const isBack = end !== undefined && (await this.#ports.past().canGoBack(session_id, end, dir));
    return { mode: "fork", session_id, ...(isBack && { at_message: end.at }) };
  }

  async #start(
    id: string,
    wanted: Wanted,
    beginning: () => Promise<Beginning>,
  ): Promise<AcpSession> {
    const options = optionsOf(wanted);
    const { choice, copied, kept, prepare } = await beginning();
    if (this.#isOver) throw new AcpError("internal", "the agent is ending");
    const { openBridge, checkFolder, newId } = this.#ports;
    const { cwd: dir, features } = wanted;
    const conversations = this.#conversationsOf(id, dir, kept);
    const ports = {
      ...this.#ports,
      openBridge: (host: HostEnd) => openBridge(dir, host),
      features,
      conversations,
    };
    const isWithoutPast = kept !== undefined && prepare === undefined;
    const session = new AcpSession(id, dir, ports, isWithoutPast ? newId() : undefined);
    this.#all.add(session);
    try {
      await prepare?.(session);
      const started = session.start({ session: choice, dir, options });
      // Claude is starting meanwhile.
      if (kept === undefined) conversations.open(copied);
      await started;
      await conversations.settled();
    } catch (thrown) {
      await this.#giveUp(session, kept === undefined);
      // The usual reason. Asked only here, since a start would wait for it.
      await checkFolder(dir);
      throw thrown;
    }
    this.#sessions.set(id, session);
    return session;
  }

  #conversationsOf(id: string, dir: string, kept: Kept | undefined): SessionConversations {
    const { store, past, onFault } = this.#ports;
    const isWritten = (conversation: string) => past().hasTranscript(conversation);
    const titleOf = (conversation: string) => past().title(conversation, dir);
    return new SessionConversations({ store, id, kept, isWritten, titleOf, onFault });
  }

  /** It has not started, and is gone before the client reads that. */
  async #giveUp(session: AcpSession, isNew: boolean): Promise<void> {
    const { store, onFault } = this.#ports;
    try {
      await this.#end(session);
      if (isNew) await store.remove(session.id);
    } catch (cause) {
      onFault(`cannot end a session that did not start: ${cause}`);
    }
  }

  async #close(session: AcpSession): Promise<void> {
    session.cancel();
    await this.#end(session);
    await session.loaded();
  }

  async #end(session: AcpSession): Promise<void> {
    this.#sessions.delete(session.id);
    await session.end();
    this.#all.delete(session);
  }
}

const configs = late(() => require("./mcp-config.ts") as typeof import("./mcp-config.ts"));

/** Throws -32602 for servers of the same name. */
function optionsOf({ additionalDirectories: add_dirs, mcpServers }: Wanted) {
  const servers = mcpServers ?? [];
  return {
    forward_subagent_text: true,
    ...(servers.length > 0 && { mcp_config: configs().mcpConfig(servers) }),
    ...(add_dirs != null && { add_dirs }),
  };
}
