/** The ways to refuse a call: plainly, and with a reason that the model reads. Pure. */
import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { deny, type PromptId } from "../../client/answers.ts";
import { type Audience, type Choice, formStep } from "./step.ts";

type Refusal = {
  readonly id: PromptId;
  /** The name of the plain refusal. */
  readonly name: string;
  /** The text for Claude where no reason is given; without it, Claude's own. */
  readonly message?: string;
};

/** With a reason only where the client shows forms. */
export function refusals(
  { sessionId, features }: Audience,
  { toolCallId }: ToolCallUpdate,
  { id, name, message }: Refusal,
): Choice[] {
  const kind = "reject_once";
  const refuse = () => ({ answer: deny(id, message) });
  const plain: Choice = { optionId: "reject", name, kind, next: refuse };
  if (!features.forms) return [plain];
  const reason = { type: "string", title: "What should Claude do instead?" } as const;
  const form = {
    ...{ mode: "form", sessionId, toolCallId, message: "Why not?" },
    requestedSchema: { type: "object", properties: { reason }, required: ["reason"] },
  } as const;
  const accept = ({ reason: given }: { readonly reason?: unknown }) => {
    const text = typeof given === "string" ? given.trim() : "";
    return text === "" ? refuse() : { answer: deny(id, text) };
  };
  const askWhy = () => formStep(form, { accept, decline: refuse, refuse });
  return [plain, { optionId: "reject-why", name: "No, and say why", kind, next: askWhy }];
}
