/** The answers of each command, by status: schemas for programs without our types. */
import { z } from "zod";
import type { CommandAnswers } from "../../client/command-answers.ts";
import type { DeepReadonly } from "../../client/deep-readonly.ts";
import type { HostCommand } from "../../client/host-routes.ts";
import { anyObject } from "./any-object.ts";
import {
  DailyCosts,
  FileMatches,
  FolderList,
  Health,
  PageVersion,
  PastConversations,
  Places,
  SearchHits,
  Sizes,
} from "./host-answers.ts";
import { PendingPrompt } from "./prompt-answers.ts";
import {
  QueuedMessages,
  QueueReceipt,
  RECEIPTS,
  ReturnedMessage,
  Rewound,
  Session,
  Withdrawn,
} from "./session-answers.ts";
import { EntryPage, Snapshot } from "./state-answers.ts";
import { TranscriptEntry } from "./transcript-answers.ts";

type ByStatus = Readonly<Record<number, z.ZodType>>;

type Schemas = Readonly<Record<HostCommand | "submit_answers" | "deny_call", ByStatus>>;

type Bodies<Table> = Table extends ByStatus
  ? DeepReadonly<z.output<Table[keyof Table & number]>>
  : never;

/**
 * `never` for a command whose type of answers allows an answer that none of its schemas has. Texts have no
 * schema.
 */
type Covers<Name, Table> =
  Name extends Exclude<HostCommand, "export">
    ? CommandAnswers[Name] extends Bodies<Table>
      ? unknown
      : never
    : unknown;

/**
 * Gives the table unchanged. A table whose schemas refuse an answer that the types allow does not compile.
 * The tests, which hold each answer of a host to the document, find a field without a schema.
 */
function covering<Table extends Schemas>(
  table: Table & { readonly [Name in keyof Table]: Covers<Name, Table[Name]> },
): Table {
  return table;
}

const ok = {
  200: z.object({ status: z.literal("ok") }).meta({ id: "Ok", description: "It is done." }),
} as const;

const okByCall = {
  200: z
    .object({ ok: z.literal(true) })
    .meta({ id: "OkByCall", description: "It is done, as other hosts say it." }),
} as const;

const queue = {
  200: z.object({ queue: QueuedMessages }).meta({ id: "Queue", description: "What waits." }),
} as const;

const response = {
  200: z
    .object({ status: z.literal("ok"), response: anyObject })
    .meta({ id: "ClaudeResponse", description: "Empty where it is stored for the next start." }),
} as const;

export const ANSWERS = covering({
  sessions: { 200: z.object({ sessions: z.array(Session).describe("Newest first.") }) },
  create: { 201: Session },
  session: { 200: Session },
  update: { 200: Session },
  delete: ok,
  snapshot: { 200: Snapshot },
  turns: { 200: EntryPage },
  message: RECEIPTS,
  queue,
  edit_queued: queue,
  delete_queued: queue,
  send_queued: { 200: QueueReceipt },
  returned: { 200: z.object({ returned: QueuedMessages }) },
  read_returned: { 200: ReturnedMessage },
  take_returned: { 200: ReturnedMessage },
  approve: { 200: z.union([ok[200], okByCall[200]]) },
  answer: ok,
  elicitation: ok,
  dialog: ok,
  interrupt: { 200: Withdrawn },
  stop_task: ok,
  pending: { 200: z.object({ pending: z.array(PendingPrompt).describe("Oldest first.") }) },
  mode: response,
  model: response,
  control: response,
  rewind: { 200: Rewound },
  move: { 200: Session },
  fork: { 201: Session },
  files: { 200: FileMatches },
  export: { 200: z.string() },
  costs: { 200: DailyCosts },
  search: { 200: SearchHits },
  sizes: { 200: Sizes },
  backup: ok,
  dirs: { 200: FolderList },
  history: { 200: PastConversations },
  revoke: ok,
  places: { 200: Places },
  page: { 200: PageVersion },
  health: { 200: Health },
  submit_answers: okByCall,
  deny_call: okByCall,
});

/** The JSON of `export`, whose answer is a plain text. */
export const Exported = z.object({
  version: z.int(),
  session: Session,
  entries: z.array(TranscriptEntry).describe("Oldest first."),
});
