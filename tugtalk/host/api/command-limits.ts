/** How long a command may be, however it comes. */

export const MIB = 1024 * 1024;
/** Of the command `message`, which may have attachments. */
export const MAX_MESSAGE_BYTES = 64 * MIB;
/** Of every other command. */
export const MAX_BODY_BYTES = MIB;
