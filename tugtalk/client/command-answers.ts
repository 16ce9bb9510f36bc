/** The host's answer to each command. Types only. */
import type { SessionSummary } from "../src/messages/history-messages.ts";
import type { Fields } from "./claude-value.ts";
import type { EntryPage } from "./entry-pages.ts";
import type {
  DailyCosts,
  FileMatch,
  FolderList,
  MessageReceipt,
  PendingPrompt,
  QueuedMessageInfo,
  ReturnedMessage,
  SearchHit,
  SessionInfo,
  SessionSnapshot,
  Withdrawn,
} from "./host-api.ts";
import type { HostCommand } from "./host-routes.ts";
import type { RewindPreview, RewoundFiles } from "./rewind-models.ts";

type Done = { readonly status: "ok" };

type Queue = { readonly queue: readonly QueuedMessageInfo[] };

/** With Claude's response. */
type Responded = Done & { readonly response: Fields };

type Answers = {
  readonly sessions: { readonly sessions: readonly SessionInfo[] };
  readonly create: SessionInfo;
  readonly session: SessionInfo;
  readonly update: SessionInfo;
  readonly delete: Done;
  readonly snapshot: SessionSnapshot;
  readonly turns: EntryPage;
  readonly message: MessageReceipt;
  readonly queue: Queue;
  readonly edit_queued: Queue;
  readonly delete_queued: Queue;
  readonly send_queued: MessageReceipt & Queue;
  readonly returned: { readonly returned: readonly QueuedMessageInfo[] };
  readonly read_returned: ReturnedMessage;
  readonly take_returned: ReturnedMessage;
  /** `ok` of a prompt that was named by its tool call. */
  readonly approve: Done | { readonly ok: true };
  readonly answer: Done;
  readonly elicitation: Done;
  readonly dialog: Done;
  readonly interrupt: Done & Withdrawn;
  readonly stop_task: Done;
  readonly pending: { readonly pending: readonly PendingPrompt[] };
  readonly mode: Responded;
  readonly model: Responded;
  readonly control: Responded;
  /** With `dry_run` the changes that a rewind would make, otherwise the changes that it has made. */
  readonly rewind: Done &
    (RewindPreview | { readonly files?: RewoundFiles; readonly session?: SessionInfo });
  readonly move: SessionInfo;
  readonly fork: SessionInfo;
  readonly files: { readonly files: readonly FileMatch[] };
  readonly export: { readonly contentType: string; readonly text: string };
  readonly costs: DailyCosts;
  readonly search: {
    readonly hits: readonly SearchHit[];
    /** `before` of the next page, if there is one. */
    readonly before?: number;
    /** Not all was searched. */
    readonly partial?: true;
  };
  readonly sizes: {
    readonly sizes: readonly {
      readonly id: string;
      readonly bytes: number;
      readonly entries: number;
    }[];
  };
  readonly backup: Done;
  readonly dirs: FolderList;
  readonly history: { readonly sessions: readonly SessionSummary[]; readonly next?: string };
  readonly revoke: Done;
  readonly places: { readonly places: readonly string[]; readonly default: string };
  readonly page: { readonly version: string };
  readonly health: Done & { readonly version: string; readonly sessions: number };
};

/** The body of the answer to each command that was not refused. */
export type CommandAnswers = { readonly [Name in HostCommand]: Answers[Name] };
