/** Notices to a person outside the conversation, in the words of the page. Pure. */
import type { NoticeData } from "../../client/entry-models.ts";
import type { Notice } from "../../client/transcript-models.ts";
import type { OutboundDraft } from "../../src/types.ts";
import { late } from "../late.ts";
import { type Row, type Step, stepTo, type Update, type UpdateState } from "./update-state.ts";

const reduced = late(
  () => require("./reduced-notices.ts") as typeof import("./reduced-notices.ts"),
);
const views = late(
  () =>
    require("../../client/views/notice-view.ts") as typeof import("../../client/views/notice-view.ts"),
);

export function noticed(state: UpdateState, message: OutboundDraft): Step {
  return noticeStep(state, ...reduced().noticesOf(message));
}

/** The client gets a limit where it has changed. With a subscription nearly every turn says that there is none. */
export const rateLimit: Row<"rate_limit"> = (state, message) => {
  const { status: limit } = message.rate_limit_info;
  if (limit === state.limit) return stepTo(state);
  const next = { ...state, limit };
  return limit === "allowed" ? stepTo(next) : noticed(next, message);
};

export const permissionDenied: Row<"permission_denied"> = (
  state,
  { tool_name, tool_use_id, message },
) =>
  noticeStep(state, {
    kind: "permission_denied",
    toolName: tool_name,
    toolUseId: tool_use_id,
    message,
  });

/** A wrong prompt, or a wrong answer to Claude, has an answer of its own that says so. */
export const failed: Row<"error"> = (state, error) => {
  const isAnswered =
    error.message_id !== undefined || error.source === "host" || !error.recoverable;
  return isAnswered ? stepTo(state) : noticed(state, error);
};

/** Blocks that a client cannot take back. */
export const messageRetracted: Row<"message_retracted"> = (
  state,
  { msg_id: retracted, reason },
) => {
  if (retracted === state.retracted) return stepTo(state);
  const by = reason === "refusal" ? "another model answers" : "a later answer replaces it";
  return noticeStep(
    { ...state, retracted },
    warning(`Claude has withdrawn its last message: ${by}`),
  );
};

/** The servers that have failed since the last time. */
export const serversStep: Row<"system_metadata"> = (state, { mcp_servers = [] }) => {
  const notices = mcp_servers.flatMap(({ name, status }) => {
    const words = Object.hasOwn(SERVER_WORDS, status) ? SERVER_WORDS[status] : undefined;
    if (words === undefined || state.servers.get(name) === status) return [];
    return warning(`The MCP server ${name} ${words}`);
  });
  return noticeStep(state, ...notices);
};

const SERVER_WORDS: Readonly<Record<string, string>> = {
  failed: "did not start",
  "needs-auth": "needs a login",
};

function warning(text: string): Notice {
  return { kind: "text", level: "warning", text };
}

export function noticeStep(state: UpdateState, ...notices: readonly Notice[]): Step {
  const updates = notices.flatMap((notice) => noticeUpdate(state, views().viewNotice(notice)));
  return stepTo(state, ...updates);
}

/** A client without notices gets the important ones as marked texts. */
function noticeUpdate(
  { features }: UpdateState,
  { severity, text, detail, until }: NoticeData,
): Update[] {
  const time = until === undefined ? [] : [`Until ${new Date(until).toISOString()}`];
  const description = [...(detail === undefined ? [] : [detail]), ...time].join("\n");
  const more = description === "" ? {} : { description };
  if (text === "") return [];
  if (features.notices) return [{ sessionUpdate: "notice", severity, title: text, ...more }];
  if (severity === "info") return [];
  const whole = description === "" ? text : `${text}\n\n${description}`;
  return [
    {
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: `\n\n${whole}\n\n` },
      _meta: { tugtalk: { notice: severity } },
    },
  ];
}
