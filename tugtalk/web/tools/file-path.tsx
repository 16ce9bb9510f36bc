/** The path of a file: where there is no room for all of it, its name stays. */
export function FilePath({ path }: { readonly path: string }) {
  const cut = path.search(/[^/\\]*[/\\]?$/);
  return (
    <span class="path" title={path}>
      <span class="path-folder">{path.slice(0, cut)}</span>
      <span class="path-name">{path.slice(cut)}</span>
    </span>
  );
}
