/**
 * The interface of this room: the past conversations of one folder, read from the files of Claude and of
 * earlier bridges. The rest of the room is imported on first use, since a bridge starts without it.
 */
import { join } from "node:path";
import { homeFolder } from "../base/home-folder.ts";
import { SerialQueue } from "../base/serial-queue.ts";
import { TugtalkError } from "../messages/errors.ts";
import type { ResumePoint, SessionHistory, SessionList } from "../messages/history-messages.ts";
import type { ProtocolInit } from "../messages/protocol-init.ts";
import type { TranscriptRestore } from "../messages/transcript-messages.ts";
import type { OutboundDraft } from "../types.ts";
import type { MirroredFiles, TranscriptMessage } from "./mirrored-files.ts";
import type { WorkFolder } from "./transcript-folder.ts";
import type { TranscriptRestores } from "./transcript-restore.ts";

/** A request that this room answers. */
export type PastRequest = SessionList | SessionHistory | TranscriptRestore;

export type PastConversations = ReturnType<typeof openPastConversations>;

/** `startDirectory` is where Claude works unless the host says otherwise. `stateFolder` is where the id of the last conversation is kept. */
export function openPastConversations(
  startDirectory: string,
  stateFolder: string | undefined,
  onFault: (message: string) => void,
) {
  let directory = startDirectory;
  let worktree: string | undefined;
  let configDir = configDirectoryWith({});
  const workFolder = (of: Where = { dir: directory, worktree }) =>
    workFolderOf({ ...of, dir: of.dir ?? directory });
  const folder = async (dir?: string) => {
    const work = await (dir === undefined ? workFolder() : workFolder({ dir }));
    return (await import("./transcript-folder.ts")).transcriptFolder(work, configDir);
  };
  const transcripts = openTranscripts({
    folder,
    configDir: (env) => (env === undefined ? configDir : configDirectoryWith(env)),
    workFolder,
  });
  return {
    /** The environment of Claude decides where its transcripts are. */
    configure: ({ dir, options }: Pick<ProtocolInit, "dir" | "options">): void => {
      directory = dir ?? startDirectory;
      worktree = options?.worktree;
      configDir = configDirectoryWith(options?.env);
    },
    past: {
      newestSessionId: async () =>
        (await import("./session-list.ts")).newestSession(await folder()),
      findResumePoint: async (sessionId: string, ...ids: readonly string[]) =>
        (await import("./resume-point.ts")).findResumePoint(await folder(), sessionId, ...ids),
      hasBranched: async (sessionId: string, point: ResumePoint) =>
        (await import("./resume-point.ts")).hasBranched(await folder(), sessionId, point),
      isUnbegun: async (sessionId: string) =>
        !(await (await import("./transcript-folder.ts")).hasTranscript(configDir, sessionId)),
    },
    transcript: transcripts.ports,
    readPast: async (request: PastRequest): Promise<OutboundDraft> => {
      if (request.type === "transcript_restore") return transcripts.restore(request);
      if (request.type === "session_history")
        return (await import("./session-history.ts")).readHistory(
          await folder(request.dir),
          request,
        );
      const list = await import("./session-list.ts");
      if (request.all_folders !== true)
        return list.listSessions(await folder(request.dir), request);
      if (request.dir === undefined) return list.listAllSessions(configDir, request);
      throw new TugtalkError("bad_message", "dir: not together with all_folders");
    },
    lastSession: openLastSession(async () => (await workFolder()).path, stateFolder, onFault),
  };
}

type Where = { readonly dir?: string | undefined; readonly worktree?: string | undefined };

/** Where Claude works: in the folder, or in a worktree of the repository that it is in. */
async function workFolderOf({
  dir,
  worktree,
}: Where & { readonly dir: string }): Promise<WorkFolder> {
  if (worktree === undefined) return { path: dir, isMade: false };
  const { worktreeFolder } = await import("../base/repository.ts");
  const path = await worktreeFolder(dir, worktree);
  return path === undefined ? { path: dir, isMade: false } : { path, isMade: true };
}

/** The id of the last conversation of the folder. */
function openLastSession(
  workPath: () => Promise<string>,
  stateFolder: string | undefined,
  onFault: (message: string) => void,
) {
  const writes = new SerialQueue();
  return {
    read: async () => {
      await writes.settled();
      return (await import("./last-session.ts")).readLastSession(await workPath(), stateFolder);
    },
    /** Returns at once. `onFault` reports an id that could not be written. */
    keep: (id: string): void => {
      writes.add(
        async () =>
          (await import("./last-session.ts")).writeLastSession(await workPath(), id, stateFolder),
        (cause) => onFault(`cannot keep the id of the session: ${cause}`),
      );
    },
    settled: () => writes.settled(),
  };
}

type Places = {
  /** The folder of the transcripts. */
  readonly folder: () => Promise<string>;
  /** The configuration folder of the session, or of a Claude with these variables. */
  readonly configDir: (env?: Environment) => string;
  /** Where Claude works. */
  readonly workFolder: (of?: Where) => Promise<WorkFolder>;
};

/** The files of conversations, read and written as they are. */
function openTranscripts({ folder, configDir, workFolder }: Places) {
  let mirrored: MirroredFiles | undefined;
  let restores: TranscriptRestores | undefined;
  const openMirrored = async () => {
    const { conversationFiles } = await import("./conversation-files.ts");
    const { MirroredFiles } = await import("./mirrored-files.ts");
    return new MirroredFiles(async (id) => conversationFiles(await folder(), configDir(), id));
  };
  const openRestores = async () => {
    const { folderToRestore } = await import("./transcript-folder.ts");
    const { TranscriptRestores } = await import("./transcript-restore.ts");
    return new TranscriptRestores(async ({ dir, worktree, env, claude_version }) => {
      const isNamed = dir !== undefined || worktree !== undefined;
      const work = await workFolder(isNamed ? { dir, worktree } : undefined);
      return folderToRestore(work, configDir(env), claude_version);
    });
  };
  return {
    restore: async (request: TranscriptRestore) => {
      restores ??= await openRestores();
      return restores.add(request);
    },
    ports: {
      /** See `MirroredFiles.next`. */
      next: async (sessionIds: readonly string[]): Promise<TranscriptMessage | undefined> => {
        mirrored ??= await openMirrored();
        return mirrored.next(sessionIds);
      },
      /** Removes the files that a restore has collected. */
      dropRestore: async (): Promise<void> => restores?.drop(),
    },
  };
}

type Environment = NonNullable<TranscriptRestore["env"]>;

/** Where a Claude keeps its files that has these variables in addition to ours. */
export function configDirectoryWith(variables: Environment | undefined): string {
  const env: Readonly<Record<string, string | null | undefined>> = { ...process.env, ...variables };
  return env["CLAUDE_CONFIG_DIR"] ?? join(homeFolder(env), ".claude");
}
