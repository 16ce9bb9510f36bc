/** The blocks of the Messages API that ACP can show. Pure. */
import { type Fields, fieldsOf } from "../../src/base/json.ts";

type ShownBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

/** Empty for a block that ACP has no form for. */
export function blockOf({ type, text, source, tool_name: tool }: Fields): ShownBlock[] {
  if (type === "text" && typeof text === "string" && text !== "") return [{ type, text }];
  if (type === "tool_reference" && typeof tool === "string")
    return [{ type: "text", text: `Tool: ${tool}` }];
  const { data, media_type: mimeType } = fieldsOf(source);
  if (type === "image" && typeof data === "string" && typeof mimeType === "string")
    return [{ type, data, mimeType }];
  return [];
}
