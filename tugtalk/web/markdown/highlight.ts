/** Code as coloured pieces: the result of highlight.js, as a tree and never as HTML. */
import type { Emitter } from "highlight.js";
import hljs from "highlight.js/lib/core";
import { languageNamed, loadLanguage } from "./languages.ts";

export type CodePiece =
  | string
  | {
      /** For example `keyword`; absent for pieces of another language. */
      readonly scope?: string | undefined;
      readonly pieces: readonly CodePiece[];
    };

/** Undefined if the language is not known. */
export async function highlight(
  code: string,
  language: string,
): Promise<readonly CodePiece[] | undefined> {
  const name = languageNamed(language);
  if (name === undefined) return undefined;
  if (hljs.getLanguage(name) === undefined) hljs.registerLanguage(name, await loadLanguage(name));
  const { _emitter } = hljs.highlight(code, { language: name, ignoreIllegals: true });
  return _emitter instanceof PieceEmitter ? _emitter.pieces : undefined;
}

class PieceEmitter implements Emitter {
  readonly pieces: CodePiece[] = [];
  /** The lists of the scopes that are open, innermost last. */
  readonly #open: CodePiece[][] = [this.pieces];

  addText(text: string): void {
    this.#open.at(-1)?.push(text);
  }

  startScope(name: string): void {
    const pieces: CodePiece[] = [];
    this.#open.at(-1)?.push({ scope: name.split(".")[0], pieces });
    this.#open.push(pieces);
  }

  endScope(): void {
    if (this.#open.length > 1) this.#open.pop();
  }

  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(emitter: Emitter): void {
    if (emitter instanceof PieceEmitter) this.#open.at(-1)?.push({ pieces: emitter.pieces });
  }

  finalize(): void {}

  toHTML(): string {
    return "";
  }
}

hljs.configure({ __emitter: PieceEmitter });
