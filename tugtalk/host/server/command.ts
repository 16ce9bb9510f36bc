/** One command of a client, whatever it came by. */
import type { z } from "zod";
import type { HostCommand } from "../../client/host-routes.ts";
import type { Caller } from "../sessions/host-session.ts";

/** What a command gives: an object, sent as JSON, or a text. */
export type CommandAnswer = {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> | TextBody;
};

export type TextBody = { readonly contentType: string; readonly text: string };

/** A command with the schema of its fields: those of the path, the query and the body together. */
export type Command<Fields = unknown> = {
  readonly fields: z.ZodType<Fields>;
  readonly run: (fields: Fields, caller: Caller) => CommandAnswer | Promise<CommandAnswer>;
};

/** Runs a command by its name. Gives the answer to bad fields and refusals too; never rejects. */
export type CommandRunner = (
  name: HostCommand,
  fields: Readonly<Record<string, unknown>>,
  caller: Caller,
) => Promise<CommandAnswer>;
