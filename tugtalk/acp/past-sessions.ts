/** The sessions on this machine that are open or were: listed, read and deleted, without a Claude. */
import type { ListSessionsResponse, SessionInfo } from "@agentclientprotocol/sdk";
import { isLowerUuid } from "../src/base/plain-value.ts";
import { configDirectoryWith } from "../src/history/past-conversations.ts";
import type { ResumePoint, SessionSummary } from "../src/messages/history-messages.ts";
import type { OutboundDraft } from "../src/types.ts";
import { AcpError } from "./json-rpc.ts";
import type { Kept, KeptSessions, Source } from "./kept-sessions.ts";
import { EntryNames } from "./retold.ts";
import type { Transcript } from "./send-transcript.ts";

/** The most sessions in one answer. */
const PAGE = 50;

/** How long a load waits until Claude has written the last entry, and how often it reads the transcript. */
const CATCH_UP_MS = 2_000;
const POLL_MS = 50;
/**
 * The turns in which the entry may be: the end of a compaction is in the turn before the command `/compact`.
 */
const LAST_TURNS = 2;

export class PastSessions {
  readonly #kept: KeptSessions;
  readonly #configDir: string;

  constructor(kept: KeptSessions, configDir = configDirectoryWith({})) {
    this.#kept = kept;
    this.#configDir = configDir;
  }

  /** The conversations of a session. Rejects where no session has this id. */
  async find(sessionId: string): Promise<Kept> {
    // An id becomes the name of a file, which must not lead out of its folder.
    if (!isLowerUuid(sessionId)) throw notFound(sessionId);
    const kept = await this.#kept.read(sessionId);
    if (kept === undefined) {
      if (!(await this.hasTranscript(sessionId))) throw notFound(sessionId);
      return { conversations: [sessionId] };
    }
    const { conversations } = kept;
    const isBegun = await this.hasTranscript(conversations.at(-1) ?? sessionId);
    return isBegun ? { conversations } : kept;
  }

  async hasTranscript(id: string): Promise<boolean> {
    const { hasTranscript } = await import("../src/history/transcript-folder.ts");
    return hasTranscript(this.#configDir, id);
  }

  /** The title that was given to a conversation of this folder; undefined where there is none. */
  async title(id: string, dir: string): Promise<string | undefined> {
    const { plainFile } = await import("../src/history/transcript-folder.ts");
    const { readTitle } = await import("../src/history/transcript-ends.ts");
    const path = await plainFile(await this.#folderOf(dir), `${id}.jsonl`);
    return path === undefined ? undefined : readTitle(path).catch(() => undefined);
  }

  /** The end of a conversation of this folder. */
  async end(id: string, dir: string): Promise<ResumePoint> {
    const { lastResumePoint } = await import("../src/history/resume-point.ts");
    return lastResumePoint(await this.#folderOf(dir), id);
  }

  /** Whether a conversation of this folder has gone on after this end, and Claude can go back to the end. */
  async canGoBack(id: string, end: ResumePoint, dir: string): Promise<boolean> {
    const { canGoBack } = await import("../src/history/resume-point.ts");
    return canGoBack(await this.#folderOf(dir), id, end);
  }

  /** A conversation of this folder; empty where it was never begun. */
  transcript({ id, end }: Source, dir: string): Transcript {
    return {
      isOwn: end === undefined,
      pages: async () => {
        if (!(await this.hasTranscript(id))) return nothing();
        const { readConversation } = await import("../src/history/session-history.ts");
        return readConversation(await this.#folderOf(dir), id, end?.bytes);
      },
      caughtUp: async (entry) => {
        const { readHistory } = await import("../src/history/session-history.ts");
        const folder = await this.#folderOf(dir);
        for (const end = Date.now() + CATCH_UP_MS; Date.now() < end; await Bun.sleep(POLL_MS)) {
          const last = await readHistory(folder, { session_id: id, limit: LAST_TURNS }).catch(
            () => undefined,
          );
          // A page has the same messages as a live session.
          const messages = (last?.messages ?? []) as readonly OutboundDraft[];
          const names = new EntryNames();
          if (messages.some((message) => names.take(message) === entry)) return;
        }
      },
    };
  }

  /** Rejects for a cursor that is none of ours. */
  async list({ cwd, cursor }: ListRequest): Promise<ListSessionsResponse> {
    const { SESSION_CURSOR } = await import("../src/messages/history-messages.ts");
    const before = cursor ?? undefined;
    if (before !== undefined && !SESSION_CURSOR.test(before))
      throw new AcpError("invalidParams", "cursor: is none of `nextCursor`");
    const { listAllSessions, listSessions, steadyTitle } = await import(
      "../src/history/session-list.ts"
    );
    const page = { limit: PAGE, titleOf: steadyTitle, ...(before !== undefined && { before }) };
    const { sessions, next } = await (cwd == null
      ? listAllSessions(this.#configDir, page)
      : listSessions(await this.#folderOf(cwd), page));
    const ids = await this.#sessionIds();
    return {
      sessions: shownSessions(sessions, ids, cwd ?? undefined),
      ...(next !== undefined && { nextCursor: next }),
    };
  }

  /** Deletes the files of a session. */
  async remove(sessionId: string): Promise<void> {
    const kept = await this.#kept.read(sessionId);
    const { removeConversation } = await import("../src/history/conversation-removal.ts");
    for (const id of new Set([sessionId, ...(kept?.conversations ?? [])]))
      await removeConversation(this.#configDir, id);
    await this.#kept.remove(sessionId);
  }

  /** The ids of sessions by their conversations, where the two differ; undefined for a conversation that is not listed. */
  async #sessionIds(): Promise<Map<string, string | undefined>> {
    const { isListed } = await import("../src/history/session-list.ts");
    const ids = new Map<string, string | undefined>();
    for (const [sessionId, { conversations }] of await this.#kept.moved()) {
      let shown: string | undefined = sessionId;
      for (const id of conversations.toReversed()) {
        // A conversation that has just begun has nothing to show.
        const isShown = shown !== undefined && (await isListed(this.#configDir, id));
        ids.set(id, isShown ? shown : undefined);
        if (isShown) shown = undefined;
      }
    }
    return ids;
  }

  /** A folder that is gone may still have transcripts. */
  async #folderOf(path: string): Promise<string> {
    const { transcriptFolder } = await import("../src/history/transcript-folder.ts");
    return transcriptFolder({ path, isMade: true }, this.#configDir);
  }
}

type ListRequest = {
  readonly cwd?: string | null | undefined;
  readonly cursor?: string | null | undefined;
};

/** A session that has left conversations behind is one entry: the id of the others is undefined. Pure. */
export function shownSessions(
  summaries: readonly SessionSummary[],
  ids: ReadonlyMap<string, string | undefined>,
  dir: string | undefined,
): SessionInfo[] {
  return summaries.flatMap(({ session_id, cwd = dir, title, updated_at: updatedAt }) => {
    const sessionId = ids.has(session_id) ? ids.get(session_id) : session_id;
    if (sessionId === undefined || cwd === undefined) return [];
    return [{ sessionId, cwd, updatedAt, ...(title !== undefined && { title }) }];
  });
}

export function notFound(sessionId: string): AcpError {
  return new AcpError("notFound", "no session has this id", { sessionId });
}

async function* nothing(): AsyncGenerator<readonly OutboundDraft[]> {}
