/** The handler of each type of message that changes something. */
import { TASK_HANDLERS } from "./background-tasks.ts";
import { BLOCK_HANDLERS } from "./blocks.ts";
import type { Handler } from "./handler.ts";
import { NOTICE_HANDLERS } from "./notices.ts";
import { PROMPT_HANDLERS } from "./prompt-messages.ts";
import { QUEUE_HANDLERS } from "./queue.ts";
import { REMARK_HANDLERS } from "./remarks.ts";
import { REWIND_HANDLERS } from "./rewinds.ts";
import { SESSION_HANDLERS } from "./session-messages.ts";
import { SETTINGS_HANDLERS } from "./settings.ts";
import { TOOL_HANDLERS } from "./tools.ts";
import { TURN_HANDLERS } from "./turns.ts";
import { UNKNOWN_HANDLERS } from "./unknown-messages.ts";
import { USER_HANDLERS } from "./user-texts.ts";

export const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...SESSION_HANDLERS,
  ...SETTINGS_HANDLERS,
  ...TURN_HANDLERS,
  ...USER_HANDLERS,
  ...BLOCK_HANDLERS,
  ...TOOL_HANDLERS,
  ...PROMPT_HANDLERS,
  ...QUEUE_HANDLERS,
  ...TASK_HANDLERS,
  ...NOTICE_HANDLERS,
  ...REMARK_HANDLERS,
  ...REWIND_HANDLERS,
  ...UNKNOWN_HANDLERS,
]);
