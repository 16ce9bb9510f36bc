/** The command of this process, for a program that starts itself again in another role. */

/** A compiled program is its own runtime, with its file in a file system of its own. */
const IS_COMPILED = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i.test(Bun.main);

/**
 * The command without the arguments after the program. The flags of the runtime exclude the settings of a
 * project.
 */
export const OWN_COMMAND: readonly string[] = IS_COMPILED
  ? [process.execPath]
  : [process.execPath, ...process.execArgv, Bun.main];
