/** The files of the page that the host serves. */

export type PageFile = {
  /**
   * Empty for the page itself; for all other files the last part of their path, which has a hash of the
   * content.
   */
  readonly name: string;
  readonly contentType: string;
  readonly text: string;
};

export type PageFiles = {
  /** Differs for each content. */
  readonly version: string;
  readonly files: readonly PageFile[];
};

/** Gives the files; the first call may take a moment. Rejects if the sources cannot be bundled. */
export type PageSource = () => Promise<PageFiles>;

/** Gives the page that checks its host with this key. */
export type OwnPageSource = (proofKey: string) => Promise<PageFiles>;

/** The place in the page for the key of its host. */
export const NO_PROOF_KEY = '<meta name="tugtalk-proof" content="">';

/** The page with the key by which it checks later that this host is at its address. */
export function withProofKey({ version, files }: PageFiles, key: string): PageFiles {
  const own = NO_PROOF_KEY.replace('""', `"${key}"`);
  const filled = files.map((file) =>
    file.name === "" ? { ...file, text: file.text.replace(NO_PROOF_KEY, own) } : file,
  );
  return { version, files: filled };
}
