/** The fields of each command: the schemas of the host's checks, and the types for clients. */
import type { z } from "zod";
import type { DeepReadonly } from "../../client/deep-readonly.ts";
import type { HostCommand } from "../../client/host-routes.ts";
import { HOST_COMMANDS } from "./host-fields.ts";
import { MESSAGE_COMMANDS } from "./message-fields.ts";
import { PROMPT_COMMANDS } from "./prompt-fields.ts";
import { SESSION_COMMANDS } from "./session-fields.ts";

/** Named, since the package's declarations would otherwise repeat the whole type. */
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

/** The fields that a client gives, under our own names. */
export type CommandFields = {
  readonly [Name in HostCommand]: DeepReadonly<z.input<Schemas[Name]>>;
};
