/** The limits of a command's length, over each transport. */

export const MIB = 1024 * 1024;
/**
 * The limit of the command `message`, which may have attachments. A bridge takes lines of up to 64 MiB, and
 * cannot name the message of a longer one, which would then never end.
 */
export const MAX_MESSAGE_BYTES = 63 * MIB;
/** The limit of every other command. */
export const MAX_BODY_BYTES = MIB;
