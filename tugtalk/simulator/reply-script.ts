/** The queue of scripted replies, and the choice of the entry for a request. Sends nothing. */
import type { ApiRequest } from "./api-request.ts";
import type { Reply } from "./reply.ts";

type Question = Omit<ApiRequest, "answer">;

/** A reply, or a function that makes one for a request. */
export type ReplySource = Reply | ((request: Question) => Reply | Promise<Reply>);

/** A reply for the requests that it selects; without `kind` it waits for a `main` request. */
export type ChosenReply = {
  readonly when?: (request: Question) => boolean;
  readonly kind?: ApiRequest["kind"];
  readonly reply: ReplySource;
  /**
   * The entry answers every request that it selects, not only one. An HTTP 400 needs it: 2.1.330 repeats the
   * refused request with one beta less, up to five times.
   */
  readonly always?: boolean;
};

/** One entry of a script. */
export type ScriptEntry = ReplySource | ChosenReply;

/** Scripted replies in order; the first unused one that fits a request answers it. */
export type ReplyScript = {
  add(entries: readonly ScriptEntry[]): void;
  /** Removes and returns the reply for this request; undefined if no entry fits. */
  take(request: Question): ReplySource | undefined;
  /** The number of entries that wait for a request. */
  remaining(): number;
};

/** An empty script. */
export function createReplyScript(): ReplyScript {
  const entries: ChosenReply[] = [];
  return {
    add: (added) => entries.push(...added.map(fromEntry)),
    take(request) {
      const at = entries.findIndex((entry) => fits(entry, request));
      const entry = entries[at];
      if (entry !== undefined && entry.always !== true) entries.splice(at, 1);
      return entry?.reply;
    },
    remaining: () => entries.length,
  };
}

function fits({ kind, when }: ChosenReply, request: Question): boolean {
  return request.kind === (kind ?? "main") && (when?.(request) ?? true);
}

function fromEntry(entry: ScriptEntry): ChosenReply {
  return typeof entry === "object" && "reply" in entry ? entry : { reply: entry };
}
