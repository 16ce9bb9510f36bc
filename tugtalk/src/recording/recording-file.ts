/**
 * The file of a recording: written in order, behind the back of the session. What goes wrong with it
 * ends the recording and nothing else.
 */
import { open } from "node:fs/promises";

/** A file that is being written. */
export type RecordingFile = {
  /** Adds text, later. Never throws. */
  readonly write: (text: string) => void;
  /** Adds nothing more; says why. */
  readonly giveUp: (message: string) => void;
  /** Resolves when all is written, or given up. */
  readonly close: () => Promise<void>;
};

/** What a disk that is too slow may leave unwritten, in characters. */
export const MAX_UNWRITTEN = 64 * 1024 * 1024;

/** Makes the file, for its owner only. Throws where there is one already, or where there can be none. */
export async function createRecordingFile(
  path: string,
  onFailure: (message: string) => void,
): Promise<RecordingFile> {
  const file = await open(path, "wx", 0o600);
  let waiting: string[] = [];
  let size = 0;
  let writing: Promise<void> | undefined;
  let isOver = false;

  const giveUp = (message: string): void => {
    if (isOver) return;
    isOver = true;
    waiting = [];
    onFailure(`the recording ends here: ${message}`);
  };

  async function writeAll(): Promise<void> {
    // Everything that this tick produces goes out together.
    await Promise.resolve();
    try {
      while (waiting.length > 0) {
        const text = waiting.join("");
        waiting = [];
        await file.appendFile(text);
        size -= text.length;
      }
    } catch (error) {
      giveUp(error instanceof Error ? error.message : String(error));
    }
    writing = undefined;
  }

  return {
    write(text) {
      if (isOver) return;
      if (size > MAX_UNWRITTEN) giveUp(`${size} characters wait for the disk`);
      else {
        waiting.push(text);
        size += text.length;
        writing ??= writeAll();
      }
    },
    giveUp,
    async close() {
      await writing;
      isOver = true;
      // What a full disk has to say about this it has said before.
      await file.close().catch(() => {});
    },
  };
}
