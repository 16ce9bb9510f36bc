/** Removes a conversation for good: its transcript, and the folder with the transcripts of its agents. */
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { transcriptsOf } from "./transcript-folder.ts";

/** From all folders. A file or folder that is a link is removed, not followed. */
export async function removeConversation(configDir: string, sessionId: string): Promise<void> {
  for (const main of await transcriptsOf(configDir, sessionId)) {
    await rm(join(dirname(main), sessionId), { recursive: true, force: true });
    await rm(main, { force: true });
  }
}
