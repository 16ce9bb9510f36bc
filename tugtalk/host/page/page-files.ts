/** The files of the page that the host serves. */

export type PageFile = {
  /** Empty for the page itself; for all others the last part of their path. It has a hash of the content. */
  readonly name: string;
  readonly contentType: string;
  readonly text: string;
};

export type PageFiles = {
  /** Another one for every other content. */
  readonly version: string;
  readonly files: readonly PageFile[];
};

/** Gives the files; the first call may take a moment. Rejects where the sources cannot be bundled. */
export type PageSource = () => Promise<PageFiles>;
