/** Control requests of the host, and the answers to the requests that Claude had to accept. */
import { z } from "zod";
import { jsonObject } from "../base/json.ts";
import { CONTROL_SUBTYPES, whyNotSent } from "./control-subtypes.ts";
import { inbound, outbound } from "./envelope.ts";

const text = z.string();

/** Any control request on the allow-list, with its arguments as further fields. */
export const ControlMessage = inbound("control", { subtype: text })
  .loose()
  .superRefine((message, context) => {
    const known = Object.hasOwn(CONTROL_SUBTYPES, message.subtype)
      ? CONTROL_SUBTYPES[message.subtype]
      : undefined;
    if (known === undefined)
      context.addIssue({ code: "custom", message: whyNotSent(message.subtype) });
    for (const { path, message: words } of known?.fields.safeParse(message).error?.issues ?? [])
      context.addIssue({ code: "custom", path: [...path], message: words });
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
