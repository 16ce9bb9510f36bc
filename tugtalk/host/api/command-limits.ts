/** How long a command may be, however it comes. */

export const MIB = 1024 * 1024;
/**
 * Of the command `message`, which may have attachments. A bridge takes lines of up to 64 MiB, and does not
 * say whose a longer one was: it would leave its message without an end.
 */
export const MAX_MESSAGE_BYTES = 63 * MIB;
/** Of every other command. */
export const MAX_BODY_BYTES = MIB;
