/** The file of a recording: written in order and in the background. A failure ends the recording only. */
import { open } from "node:fs/promises";

/** A file that is being written. */
export type RecordingFile = {
  /** Adds text, later. Never throws. */
  readonly write: (text: string) => void;
  /** Adds nothing more, and reports why. */
  readonly giveUp: (message: string) => void;
  /** Resolves when all is written, or given up. */
  readonly close: () => Promise<void>;
};

/** How much a slow disk may leave unwritten, in characters. */
export const MAX_UNWRITTEN = 64 * 1024 * 1024;

/** Creates the file, for its owner only. Throws if the path exists or cannot be created. */
export async function createRecordingFile(
  path: string,
  onFailure: (message: string) => void,
): Promise<RecordingFile> {
  const file = await open(path, "wx", 0o600);
  let batch: string[] = [];
  let unwritten = 0;
  let writing: Promise<void> | undefined;
  let isOver = false;

  const giveUp = (message: string): void => {
    if (isOver) return;
    isOver = true;
    batch = [];
    onFailure(`the recording ends here: ${message}`);
  };

  async function writeAll(): Promise<void> {
    // The entries of one tick are written together.
    await Promise.resolve();
    try {
      while (batch.length > 0) {
        const text = batch.join("");
        batch = [];
        await file.appendFile(text);
        unwritten -= text.length;
      }
    } catch (error) {
      giveUp(error instanceof Error ? error.message : String(error));
    }
    writing = undefined;
  }

  return {
    write(text) {
      if (isOver) return;
      if (unwritten > MAX_UNWRITTEN) giveUp(`${unwritten} characters wait for the disk`);
      else {
        batch.push(text);
        unwritten += text.length;
        writing ??= writeAll();
      }
    },
    giveUp,
    async close() {
      await writing;
      isOver = true;
      // A full disk has been reported by then.
      await file.close().catch(() => {});
    },
  };
}
