/** One file of a conversation that is being restored, collected beside its place. */
import { type FileHandle, open } from "node:fs/promises";
import { type Fields, isJsonObject, parseJson } from "../base/json.ts";
import { isAtLeast } from "../base/versions.ts";
import { RestoreError } from "./restore-error.ts";
import { isNote } from "./transcript-names.ts";

export class StagedFile {
  readonly name: string;
  readonly path: string;
  /** In bytes. */
  size = 0;
  /** A line names this conversation. */
  #isOwn = false;

  constructor(name: string, path: string) {
    this.name = name;
    this.path = path;
  }

  /**
   * Adds lines at an offset, up to which the file must be there. Lines that are there already must be equal.
   */
  async add(sessionId: string, offset: number, lines: readonly string[]): Promise<void> {
    this.#check(sessionId, lines);
    await using file = await open(this.path, this.size === 0 ? "w+" : "r+", 0o600);
    if (isNote(this.name)) await this.#replace(file, offset, lines);
    else await this.#append(file, offset, Buffer.from(lines.map((line) => `${line}\n`).join("")));
  }

  /** Resolves when it is on disk. */
  async finish(): Promise<void> {
    if (!this.#isOwn && !isNote(this.name))
      throw new RestoreError("foreign", `${this.name}: no line is of this conversation`);
    await using file = await open(this.path, "r+");
    await file.sync();
  }

  #check(sessionId: string, lines: readonly string[]): void {
    for (const line of lines) {
      const value = parseJson(line);
      if (line.includes("\n") || !isJsonObject(value))
        throw new RestoreError("bad_line", `${this.name}: a line is not a JSON object`);
      this.#checkOwner(sessionId, value);
    }
  }

  #checkOwner(sessionId: string, { sessionId: of, version }: Fields): void {
    if (typeof of !== "string") return;
    if (of === sessionId) this.#isOwn = true;
    // V38 leaves the id of its source in the lines that a fork begins with.
    else if (typeof version !== "string" || isAtLeast(version, "2.1.197"))
      throw new RestoreError("foreign", `${this.name}: a line is of the conversation ${of}`);
  }

  async #replace(file: FileHandle, offset: number, lines: readonly string[]): Promise<void> {
    if (offset !== 0 || lines.length !== 1) throw this.#gap("it is one line at offset 0");
    await file.truncate();
    const bytes = Buffer.from(lines.join());
    await file.write(bytes, 0, bytes.length, 0);
    this.size = bytes.length;
  }

  async #append(file: FileHandle, offset: number, bytes: Buffer): Promise<void> {
    if (offset > this.size) throw this.#gap(`lines between ${this.size} and ${offset} are missing`);
    const known = Buffer.alloc(Math.min(bytes.length, this.size - offset));
    await file.read(known, 0, known.length, offset);
    if (!known.equals(bytes.subarray(0, known.length)))
      throw this.#gap(`the lines at ${offset} are not those that came before`);
    await file.write(bytes, known.length, bytes.length - known.length, offset + known.length);
    this.size = Math.max(this.size, offset + bytes.length);
  }

  #gap(what: string): RestoreError {
    return new RestoreError("gap", `${this.name}: ${what}`);
  }
}
