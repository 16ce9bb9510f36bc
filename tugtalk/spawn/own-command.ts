/** How this process was started, for a program that starts itself again as another part of it. */

/** Without the words after the program. The single binary is its own runtime. */
export const OWN_COMMAND: readonly string[] = Bun.main.startsWith("/$bunfs/")
  ? [process.execPath]
  : [process.execPath, ...process.execArgv, Bun.main];
