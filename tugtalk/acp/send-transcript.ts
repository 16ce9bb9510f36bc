/** Sends the client a conversation as its transcript has it. */
import type { HostEnd } from "../src/edge/host-end.ts";
import type { OutboundDraft } from "../src/types.ts";
import { AskedCompactions } from "./asked-compactions.ts";
import { EntryNames, promptName, type Retold } from "./retold.ts";
import { compactionStep } from "./updates/compaction-updates.ts";
import { childrenAgain } from "./updates/late-updates.ts";
import { endPast, pastStep } from "./updates/past-updates.ts";
import type { MessageOf, Step, Update, UpdateState } from "./updates/update-state.ts";

/** The conversation on disk. */
export type Transcript = {
  /** The whole of it, oldest first. */
  readonly pages: () => Promise<AsyncIterable<readonly OutboundDraft[]>>;
  /** Resolves when Claude has written this entry, or when it is not waited for any longer. */
  readonly caughtUp: (entry: string) => Promise<void>;
  /** Whether it may have a part of the open turn. The transcript of a copy's source has none. */
  readonly isOwn: boolean;
};

type Live = {
  readonly state: UpdateState;
  /** The turn that is open, of a prompt or of Claude's own. */
  readonly openTurnId: string | undefined;
  /** The name of the last prompt or message that Claude writes to its transcript, too. */
  readonly lastEntry: string | undefined;
  /** The prompt before a compaction in the open turn. Claude may write it when that is over. */
  readonly prompt: MessageOf<"user_text"> | undefined;
  /** The blocks of which a part was sent before an earlier load. */
  readonly begun: Retold["begun"];
  /** Whether a compaction is over in the transcript whose end Claude has not reported. */
  readonly isOver: (retold: Retold) => boolean;
};

export type Client = Pick<HostEnd, "flush"> & { readonly notify: (update: Update) => void };

/** The state that comes from the messages of the conversation alone. */
const NOTHING_TOLD = {
  streamed: new Set<string>(),
  tools: new Map(),
  children: new Map(),
  tasks: [],
  compaction: { count: 0, isOpen: false },
};

/** Sends all of it, a page at a time. Returns the state of the session after it, with its part of the open turn. */
export async function sendTranscript(
  { pages, caughtUp, isOwn }: Transcript,
  { state: live, openTurnId, lastEntry, prompt, begun, isOver }: Live,
  { notify, flush }: Client,
): Promise<{ readonly state: UpdateState; readonly retold: Retold }> {
  const tell = ({ state, updates }: Step) => {
    for (const update of updates) notify(update);
    return state;
  };
  if (lastEntry !== undefined) await caughtUp(lastEntry);
  let state: UpdateState = { ...live, ...NOTHING_TOLD };
  let told = new Set<string>();
  const names = new EntryNames();
  const calls = new Set<string>();
  const compactions = new AskedCompactions();
  const send = (messages: readonly OutboundDraft[], calls?: UpdateState["tools"]) => {
    for (const message of messages) state = tell(pastStep(state, message, calls));
  };
  for await (const page of await pages()) {
    told = new Set(page.flatMap((message) => names.ofPast(message)));
    for (const message of page) {
      if (message.type === "tool_use") calls.add(message.tool_use_id);
      send(compactions.take(message));
    }
    await flush();
  }
  if (prompt !== undefined && !told.has(promptName(prompt.message_id)))
    send(compactions.take({ ...prompt, kind: "history" }), live.tools);
  send(compactions.rest());
  state = tell(
    endPast(state, { live: live.tools, openTurnId: isOwn ? openTurnId : undefined, calls }),
  );
  state = tell(childrenAgain(state, live.children, calls));
  const retold = { told, begun: new Set([...begun, ...live.streamed]) };
  state = tell(compactionStep(state, live, isOver(retold)));
  return { state, retold };
}
