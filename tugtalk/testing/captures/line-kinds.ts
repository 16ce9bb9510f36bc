/** The kinds of the registry that a line of Claude has, determined without the parser of the bridge. */
import type { Fields } from "../../src/base/json.ts";

/** One kind, or one for each content block. */
export function kindsOf(line: Fields): string[] {
  switch (line["type"]) {
    case "system":
      return [line["subtype"] === "status" ? statusKind(line) : `system/${line["subtype"]}`];
    case "result":
      return [`result/${line["subtype"]}`];
    case "control_request":
      return [`control_request/${fields(line["request"])["subtype"]}`];
    case "control_response":
      return [`control_response/${fields(line["response"])["subtype"]}`];
    case "stream_event":
      return [`stream_event/${eventKind(fields(line["event"]))}`];
    case "assistant":
      return [...blockKinds(line), ...("supersedes" in line ? ["assistant/supersedes"] : [])];
    case "user":
      return userKinds(line);
    default:
      return [String(line["type"])];
  }
}

function statusKind({ status, permissionMode, compact_result }: Fields): string {
  if (typeof status === "string") return `system/status/${status}`;
  if (typeof compact_result === "string") return "system/status/compact_result";
  return typeof permissionMode === "string" ? "system/status/permissionMode" : "system/status/null";
}

function eventKind(event: Fields): string {
  const { type } = event;
  if (type === "content_block_delta") return `${type}/${fields(event["delta"])["type"]}`;
  const isOther =
    type === "content_block_start" && fields(event["content_block"])["type"] !== "tool_use";
  return isOther ? `${type} (no tool call)` : String(type);
}

function userKinds(line: Fields): string[] {
  const { content } = fields(line["message"]);
  if (typeof content === "string" && content.startsWith("<local-command-std"))
    return ["user/command_output"];
  return line["isReplay"] === true ? ["user/isReplay"] : blockKinds(line);
}

function blockKinds(line: Fields): string[] {
  const { content } = fields(line["message"]);
  if (!Array.isArray(content)) return [`${line["type"]}/text`];
  return content.map((block) => `${line["type"]}/${fields(block)["type"]}`);
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
