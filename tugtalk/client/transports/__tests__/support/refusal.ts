/** The way in which a command fails. */
import { CommandError } from "../../transport.ts";

/** The error with which a command is refused. */
export async function refusalOf(command: Promise<unknown>): Promise<CommandError> {
  try {
    await command;
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
  throw new Error("the command was not refused");
}
