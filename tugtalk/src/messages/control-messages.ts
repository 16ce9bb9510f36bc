/** Control requests of the host, and the answers to the requests that Claude had to accept. */
import { z } from "zod";
import { jsonObject } from "../base/json.ts";
import { CONTROL_SUBTYPES, refusalOf } from "./control-subtypes.ts";
import { inbound, outbound } from "./envelope.ts";

const text = z.string();

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
  });
export type ControlMessage = z.infer<typeof ControlMessage>;

/** The one answer to a request of the host's that Claude had to accept. */
export const ControlResult = outbound("control_result", {
  subtype: text,
  ok: z.boolean(),
  response: jsonObject.optional(),
  error: text.optional(),
  still_queued: z.array(text).optional(),
  cancelled: z.array(text).optional(),
});
export type ControlResult = z.infer<typeof ControlResult>;
