/** The fields of each command: what the host checks, and the types of its clients. */
import type { z } from "zod";
import type { DeepReadonly } from "../../client/deep-readonly.ts";
import type { HostCommand } from "../../client/host-routes.ts";
import { HOST_COMMANDS } from "./host-fields.ts";
import { MESSAGE_COMMANDS } from "./message-fields.ts";
import { PROMPT_COMMANDS } from "./prompt-fields.ts";
import { SESSION_COMMANDS } from "./session-fields.ts";

/** Named, since the declarations of the package would have all of it twice. */
type Schemas = typeof SESSION_COMMANDS &
  typeof MESSAGE_COMMANDS &
  typeof PROMPT_COMMANDS &
  typeof HOST_COMMANDS;

export const COMMAND_FIELDS: Readonly<Schemas> = {
  ...SESSION_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...PROMPT_COMMANDS,
  ...HOST_COMMANDS,
} satisfies Readonly<Record<HostCommand, z.ZodType>>;

/** As a client gives them, under their own names. */
export type CommandFields = {
  readonly [Name in HostCommand]: DeepReadonly<z.input<Schemas[Name]>>;
};
