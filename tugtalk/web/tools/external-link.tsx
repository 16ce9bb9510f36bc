/** An address: a link if it leads to a page of the web, and a plain text otherwise. */
import type { ComponentChildren } from "preact";

type ExternalLinkProps = {
  readonly url: string;
  /** The address itself if absent. */
  readonly children?: ComponentChildren;
};

export function ExternalLink({ url, children = url }: ExternalLinkProps) {
  if (!/^https?:\/\//i.test(url)) return <>{children}</>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" title={url}>
      {children}
    </a>
  );
}
