/** One command of a client, over any transport. */
import type { z } from "zod";
import type { CommandAnswers } from "../../client/command-answers.ts";
import type { HostCommand } from "../../client/host-routes.ts";
import type { AliasName } from "./alias-routes.ts";
import { ApiError, badField } from "./api-error.ts";
import type { Caller } from "./host-session.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The answer of a command: an object, sent as JSON, or a text. */
export type CommandAnswer<Body = Fields | TextBody> = {
  readonly status: number;
  readonly body: Body;
};

/**
 * A text, or a function that makes its pieces: over HTTP each is made when the client has taken the earlier
 * ones.
 */
type TextSource = string | (() => AsyncIterable<string>);

export class TextBody {
  readonly contentType: string;
  readonly source: TextSource;

  constructor(contentType: string, source: TextSource) {
    this.contentType = contentType;
    this.source = source;
  }

  /** The fields of a WebSocket's answer, with the whole text. */
  async fields(): Promise<Fields> {
    const { contentType, source } = this;
    const text = typeof source === "string" ? source : (await Array.fromAsync(source())).join("");
    return { contentType, text };
  }
}

/**
 * Takes the fields of the path, the query and the body together. Rejects with `ApiError`: 400 for a bad
 * field.
 */
export type Command<Answer = CommandAnswer> = (fields: Fields, caller: Caller) => Promise<Answer>;

export type CommandName = HostCommand | AliasName;

/** The body of a command's answer before it is sent. */
type Body<Name extends HostCommand> = Name extends "export" ? TextBody : CommandAnswers[Name];

export type CommandTable = Readonly<Record<AliasName, Command>> & {
  readonly [Name in HostCommand]: Command<CommandAnswer<Body<Name>>>;
};

/** Runs a command by its name. Gives the answer to bad fields and refusals too; never rejects. */
export type CommandRunner = (
  name: CommandName,
  fields: Fields,
  caller: Caller,
) => Promise<CommandAnswer>;

/** A command that checks its fields before it runs. */
export function command<Checked, Answer>(
  schema: z.ZodType<Checked>,
  run: (fields: Checked, caller: Caller) => Answer | Promise<Answer>,
): Command<Answer> {
  return async (fields, caller) => run(checked(schema, fields), caller);
}

/** Throws `ApiError` 400. `missing` replaces the message about a known field. */
export function checked<Checked>(
  schema: z.ZodType<Checked>,
  fields: Fields,
  missing?: string,
): Checked {
  const { data, error } = schema.safeParse(fields);
  if (error === undefined) return data;
  const isUnknown = error.issues.some(({ code }) => code === "unrecognized_keys");
  if (missing === undefined || isUnknown) throw badIssue(error);
  throw new ApiError(400, "bad_request", missing);
}

export function ok<const Body>(body: Body): CommandAnswer<Body> {
  return { status: 200, body };
}

/** Names the field, an unknown one first. The value is left out, since it may hold a secret. */
export function badIssue({ issues }: z.ZodError): ApiError {
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (issue?.code === "unrecognized_keys")
    return badField([...issue.path, ...issue.keys.slice(0, 1)].join("."), "is not known here");
  const field = issue?.path.join(".") || "the command";
  return badField(field, issue?.message ?? "has the wrong shape");
}
