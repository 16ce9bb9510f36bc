/** `tugtalk/client`: everything for a frontend that needs neither Bun nor Node, so for a browser too. */

export type { InboundMessage, OutboundMessage } from "../src/types.ts";
export {
  type Answers,
  acceptElicitation,
  allow,
  answerQuestions,
  completeDialog,
  type DialogRequest,
  deny,
  type ElicitationRequest,
  isPrompt,
  type PermissionRequest,
  type PromptRequest,
  refuse,
} from "./answers.ts";
export { parse } from "./parse.ts";
