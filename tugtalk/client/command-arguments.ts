/** The fields of each command, by its name. Types only. */
import type { CommandFields } from "../host/fields/command-fields.ts";
import type { HostCommand } from "./host-routes.ts";

/** Fields can be left out where all of them may be absent. */
type Arguments<Given> = Record<never, unknown> extends Given ? [fields?: Given] : [fields: Given];

export type CommandArguments<Name extends HostCommand> = Arguments<CommandFields[Name]>;

/** The commands about one session. */
export type SessionCommand = {
  [Name in HostCommand]: CommandFields[Name] extends { readonly id: string } ? Name : never;
}[HostCommand];

type WithoutId<Given> = {
  readonly [Key in keyof Given as Key extends "id" ? never : Key]: Given[Key];
};

/** Where the session is known. */
export type SessionArguments<Name extends SessionCommand> = Arguments<
  WithoutId<CommandFields[Name]>
>;
