/** What a client says of a session that it creates. */
import { z } from "zod";
import { SessionOptions } from "../../src/messages/options.ts";
import { name, title } from "./command-fields.ts";

export const NewSessionFields = z.object({
  dir: name.optional(),
  place: name.optional(),
  model: name.optional(),
  permission_mode: name.optional(),
  options: SessionOptions.optional(),
  title: title.optional(),
  /** Claude's id of a conversation to continue. */
  resume: z.uuid().toLowerCase().optional(),
  fork: z.boolean().optional(),
  at_message: name.optional(),
  /** The same again gives the same session. */
  request_id: name.optional(),
  /** A person has read what the folder would start. */
  trust: z.boolean().optional(),
  /** Continue a conversation that another process may be using. */
  force: z.boolean().optional(),
});
export type NewSessionFields = z.infer<typeof NewSessionFields>;
