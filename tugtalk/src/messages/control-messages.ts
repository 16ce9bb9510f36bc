/** Control requests of the host, and the answers to the requests that Claude had to accept. */
import type { z } from "zod";
import { jsonObject } from "../base/json-schemas.ts";
import { CONTROL_SUBTYPES, refusalOf } from "./control-subtypes.ts";
import { flag, inbound, optionalText, outbound, text, texts } from "./message-schemas.ts";

/** Any control request on the allow-list, with its arguments as further fields; other fields are dropped. */
export const ControlMessage = inbound("control", { subtype: text })
  .loose()
  .check((payload) => {
    const { type, id, subtype } = payload.value;
    const issue = { code: "custom", input: payload.value } as const;
    const known = Object.hasOwn(CONTROL_SUBTYPES, subtype) ? CONTROL_SUBTYPES[subtype] : undefined;
    const parsed = known?.fields.safeParse(payload.value);
    if (parsed === undefined) payload.issues.push({ ...issue, message: refusalOf(subtype) });
    else if (parsed.success)
      payload.value = { type, ...(id !== undefined && { id }), subtype, ...parsed.data };
    else
      for (const { path, message } of parsed.error.issues)
        payload.issues.push({ ...issue, path: [...path], message });
  })
  .describe(
    "Any other request to Claude, with its arguments as further fields. Answered by `control_result`.",
  );
export type ControlMessage = z.infer<typeof ControlMessage>;

export const ControlResult = outbound("control_result", {
  subtype: text.describe(
    "The request: `interrupt`, `set_permission_mode`, `set_model`, `stop_task`, `cancel_message`, `session_command`, `host_tools` or the `subtype` of `control`.",
  ),
  ok: flag.describe("The request was accepted, which does not mean that it has taken effect."),
  response: jsonObject.optional().describe("Claude's answer. Absent if it has none."),
  error: optionalText.describe(
    "Why it was not accepted, such as `control_timeout` or a text that begins with `unsupported`. Absent if `ok`.",
  ),
  still_queued: texts.optional().describe("For `interrupt`: the messages that are still queued."),
  cancelled: texts
    .optional()
    .describe("For `interrupt` with `cancel_queued`: the messages that were withdrawn."),
}).describe(
  "The one answer to `interrupt`, `permission_mode`, `model_change`, `stop_task`, `cancel_message`, `control`, `session_command` and `host_tools`.",
);
export type ControlResult = z.infer<typeof ControlResult>;
