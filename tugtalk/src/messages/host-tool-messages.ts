/** Tools that the host gives to Claude: their declaration, their calls, and the answers. */
import { z } from "zod";
import { jsonObject, jsonRecord } from "../base/json-schemas.ts";
import {
  described,
  inbound,
  milliseconds,
  optionalFlag,
  optionalText,
  outbound,
  refuseLongAnswer,
  text,
  texts,
} from "./message-schemas.ts";

/** How many tools a host may give. */
const MAX_TOOLS = 128;

/** The longest list of tools, in bytes of JSON. */
const MAX_LIST_BYTES = 1024 * 1024;

export const HostTool = z
  .strictObject({
    name: text
      .regex(/^[A-Za-z0-9_-]{1,48}$/)
      .describe("1 to 48 characters of `A-Za-z0-9_-`. Claude knows it as `mcp__host__<name>`."),
    description: text.describe("Its purpose and when to use it, for the model."),
    input_schema: jsonObject.describe(
      "The JSON Schema of its input, as of MCP: its `type` is `object`, each of its `properties` an object. No measured CLI checks an input against it.",
    ),
    annotations: jsonObject
      .optional()
      .describe(
        "Hints, as of MCP: a text `title` and flags. With `readOnlyHint: true` calls may run at the same time.",
      ),
    permission: z
      .enum(["ask", "allow"])
      .optional()
      .describe(
        "`ask`, the default: a `control_request_forward` comes before each call. `allow`: none does.",
      ),
    timeout_ms: milliseconds
      .optional()
      .describe(
        "How long a call may take, in ms; then it fails for Claude. Default: no limit but Claude's own, `MCP_TOOL_TIMEOUT` of its environment, which closes the call as `withdrawn`.",
      ),
    deferred: optionalFlag.describe(
      "True: Claude looks the tool up when it needs it, since 2.1.330. Default: false.",
    ),
  })
  .meta({ id: "HostTool", description: "A tool of the host. An unknown field is refused." });
export type HostTool = z.infer<typeof HostTool>;

/**
 * The demands of MCP on a tool. Where one differs, Claude has none of the whole list and says nothing, so it
 * is the host that gets an error.
 */
const McpTool = z.looseObject({
  input_schema: z.looseObject({
    type: z.literal("object"),
    properties: jsonRecord(jsonObject).optional(),
    required: texts.optional(),
  }),
  annotations: z
    .looseObject({
      title: optionalText,
      readOnlyHint: optionalFlag,
      destructiveHint: optionalFlag,
      idempotentHint: optionalFlag,
      openWorldHint: optionalFlag,
    })
    .optional(),
});

export const hostToolList = z.array(HostTool).max(MAX_TOOLS).superRefine(refuseBadList);

function refuseBadList(tools: readonly HostTool[], context: z.RefinementCtx): void {
  const refuse = (message: string, path: PropertyKey[] = []) =>
    context.addIssue({ code: "custom", path, message });
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const { name } = tool;
    if (names.has(name)) refuse(`the name ${name} is used twice`, [index, "name"]);
    names.add(name);
    for (const { path, message } of McpTool.safeParse(tool).error?.issues ?? [])
      refuse(message, [index, ...path]);
  }
  if (Buffer.byteLength(JSON.stringify(tools)) > MAX_LIST_BYTES)
    refuse(`the tools have more than ${MAX_LIST_BYTES} bytes`);
}

export const HostTools = inbound("host_tools", {
  tools: hostToolList.describe(
    "The whole new list, at most 128 tools and 1 MiB. A changed `permission` counts from the next start of Claude on; until then a tool that is new is asked for.",
  ),
}).describe(
  "Replaces the tools of `options.host_tools`, from the next turn on. Answered by `control_result`.",
);
export type HostTools = z.infer<typeof HostTools>;

const contentBlock = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("text").describe("A text."),
    text: text.describe("The text."),
  }),
  z.strictObject({
    type: z.literal("image").describe("An image."),
    data: text.refine(isBase64, "not base64").describe("Base64."),
    mimeType: text.describe("Such as `image/png`."),
  }),
]);

/** Whether it can be decoded. Claude drops a whole result with an image that it cannot decode. */
function isBase64(data: string): boolean {
  try {
    atob(data);
    return true;
  } catch {
    // This is how `atob` says no.
    return false;
  }
}

export const HostToolAnswer = inbound("host_tool_answer", {
  request_id: text.describe("The `request_id` of the call."),
  text: optionalText.describe("The result, as a text. Not with `content`."),
  content: z
    .array(contentBlock)
    .optional()
    .describe(
      'The result, as blocks: `{type: "text", text}`, or `{type: "image", data, mimeType}` with `data` in base64. Without this and `text` it is empty.',
    ),
  is_error: optionalFlag.describe("True: the call failed, and the result says why."),
})
  .strict()
  .superRefine(({ text: given, content }, context) => {
    if (given !== undefined && content !== undefined)
      context.addIssue({ code: "custom", path: ["content"], message: "text is given already" });
    refuseLongAnswer(content ?? given ?? "", context);
  })
  .describe(
    "The result of a `host_tool_request`, of at most 10 MiB. An unknown field is refused. Answered by `control_request_resolved`, or by `error`, and then the call stays open.",
  );
export type HostToolAnswer = z.infer<typeof HostToolAnswer>;

export const HostToolRequest = outbound("host_tool_request", {
  request_id: text.describe("Identifies the call; its answer repeats it. Set by tugtalk."),
  tool_name: text.describe("The tool, by the host's name."),
  input: jsonObject.describe("Its input, which nobody has checked against `input_schema`."),
  ...described(optionalText, {
    tool_use_id: "The tool call, as in `tool_use`. Absent if Claude does not say.",
  }),
}).describe(
  "Claude calls a tool of the host. Answered with `host_tool_answer`, in any order. Without `turn_id` it is from work in the background, or from an agent inside an agent.",
);
