/** The state that earlier messages leave for turning the next one into updates of ACP. */
import type { SessionUpdate, UsageUpdate } from "@agentclientprotocol/sdk/unstable";
import type { TaskItem } from "../../client/reduced-session.ts";
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import type { OutboundDraft } from "../../src/types.ts";
import type { ClientFeatures } from "../client-features.ts";
import { FIRST_SETTINGS, type Settings } from "../settings.ts";
import type { Before } from "./file-diff.ts";

/** An update, as the parameters of `session/update` have it. */
export type Update = SessionUpdate;

/** A tool call that the client has. */
export type ToolCallState = {
  readonly name: string;
  /** Undefined while it streams. */
  readonly input?: Fields | undefined;
  readonly isEnded: boolean;
  /** It was ended without its result: a result that comes all the same is dropped. */
  readonly isClosed?: boolean;
  /** The text of the file that it changes, before the change. */
  readonly before?: Before;
  /** The turn that it is a part of, and must end with. Absent for a call of an agent in the background. */
  readonly turnId?: string | undefined;
  /** The call of the agent that has made it. */
  readonly parent?: string | undefined;
  /** Claude has reported a task for it, and reports the end of that. */
  readonly hasTask?: boolean;
  /** The agent has been started in the background: the end of its task is the end of the call. */
  readonly isLaunched?: boolean;
  /** A load has found it in the transcript alone: it may be of an earlier Claude, and have ended with that. */
  readonly isUnseen?: boolean;
  /** It is of a turn before the last one of the past. */
  readonly isEarlier?: boolean;
  /** The result of an agent's call or of an edit, until its structured result comes. */
  readonly heldResult?: MessageOf<"tool_result"> | undefined;
};

/** A child session that the client has. */
export type ChildSession = {
  /** The call that has started its agent. */
  readonly call: string;
  readonly title: string;
  /** The call of the agent that has made that call. */
  readonly parent?: string | undefined;
  /** The agent has ended, and goes on with a message. */
  readonly isContinued?: boolean;
};

export type Compactions = {
  readonly count: number;
  readonly isOpen: boolean;
  /** A part of the ids in a session that was resumed without its past, whose client may have earlier ids. */
  readonly resume?: string | undefined;
};

export type UpdateState = {
  readonly features: ClientFeatures;
  /** The folder of the session, an absolute path. */
  readonly dir: string;
  /** The blocks of which the client has deltas. */
  readonly streamed: ReadonlySet<string>;
  /** By the id of the call. */
  readonly tools: ReadonlyMap<string, ToolCallState>;
  /** The child sessions by Claude's ids of their agents. */
  readonly children: ReadonlyMap<string, ChildSession>;
  /** The files that had CRLF when Claude last read or changed them. Claude gives their texts with LF. */
  readonly crlfFiles: ReadonlySet<string>;
  readonly tasks: readonly TaskItem[];
  /** Claude's own turns that are open, each with its trigger. */
  readonly ownTurns: ReadonlyMap<string, string>;
  /** The state of the usage limit that the client got last. */
  readonly limit?: string | undefined;
  /** The last message of Claude that the client knows to be withdrawn. */
  readonly retracted?: string | undefined;
  /** The MCP servers by name, each with its state. */
  readonly servers: ReadonlyMap<string, string>;
  /** How many times the conversation was summarised, and whether that goes on. */
  readonly compaction: Compactions;
  /** The last turn has failed. */
  readonly hasFailed?: boolean;
  /** Claude has ended by itself. */
  readonly hasExited?: boolean;
  /** The conversation, and the title that the client got last: a new one has its first prompt as its title. */
  readonly conversation?: { readonly id: string; readonly isNew: boolean; readonly title?: string };
  readonly settings: Settings;
  /** US dollars, by Claude's latest report. */
  readonly costUsd?: number | undefined;
  /** How full the context is, and the cost, as the client got both last. */
  readonly usage?: Omit<UsageUpdate, "_meta">;
};

export type MessageOf<Type extends OutboundDraft["type"]> = Extract<OutboundDraft, { type: Type }>;

/** The state after a message, and the updates for the client. */
export type Step = { readonly state: UpdateState; readonly updates: readonly Update[] };

/** The step for a message of one type; `before` is the text of the file that a call is about to read or change. */
export type Row<Type extends OutboundDraft["type"]> = (
  state: UpdateState,
  message: MessageOf<Type>,
  before?: Before,
) => Step;

/** `resume`: a new id where the session is resumed without its past. */
export function firstState(dir: string, features: ClientFeatures, resume?: string): UpdateState {
  return {
    dir,
    features,
    streamed: new Set(),
    tools: new Map(),
    children: new Map(),
    crlfFiles: new Set(),
    tasks: [],
    ownTurns: new Map(),
    servers: new Map(),
    compaction: { count: 0, isOpen: false, resume },
    settings: { ...FIRST_SETTINGS, hasSwitches: features.booleanOptions },
  };
}

/** The step that leaves this state, with these updates. */
export function stepTo(state: UpdateState, ...updates: readonly Update[]): Step {
  return { state, updates };
}

/** An update with more fields of tugtalk in its `_meta`. */
export function marked(update: Update, fields: Fields): Update {
  const { _meta } = update;
  const tugtalk = { ...fieldsOf(_meta?.["tugtalk"]), ...fields };
  return { ...update, _meta: { ..._meta, tugtalk } };
}

/**
 * The mark of an update that belongs to the call of an agent: in tugtalk's form, and in the form that clients
 * know.
 */
export function metaOf({
  parent_tool_use_id: parent,
}: {
  parent_tool_use_id?: string | undefined;
}) {
  if (parent === undefined) return {};
  return {
    _meta: {
      tugtalk: { parentToolCallId: parent },
      claudeCode: { parentToolUseId: parent },
    },
  };
}
