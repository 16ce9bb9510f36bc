/** How this process was started, for a program that starts itself again as another part of it. */

/** A compiled program is its own runtime: its file is in a file system of its own. */
const IS_COMPILED = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i.test(Bun.main);

/** Without the words after the program. The flags of the runtime keep the settings of a project away. */
export const OWN_COMMAND: readonly string[] = IS_COMPILED
  ? [process.execPath]
  : [process.execPath, ...process.execArgv, Bun.main];
