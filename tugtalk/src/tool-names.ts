/** The name of each tool call, which its result does not tell. */

/** Calls that are remembered: more than are ever open at once. */
const REMEMBERED_CALLS = 4096;

export class ToolNames {
  readonly #names = new Map<string, string>();

  remember(toolUseId: string, toolName: string): void {
    this.#names.set(toolUseId, toolName);
    for (const oldest of this.#names.keys()) {
      if (this.#names.size <= REMEMBERED_CALLS) return;
      this.#names.delete(oldest);
    }
  }

  /** The name, if the call was seen. */
  nameOf(toolUseId: string): string | undefined {
    return this.#names.get(toolUseId);
  }
}
