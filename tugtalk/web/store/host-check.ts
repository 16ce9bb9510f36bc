/** Whether to connect: at first with whoever has sent the page, later only with who proves to be the same. */
export function openHostCheck(): () => Promise<boolean> {
  // Loaded while the host is there, and not needed before the page is drawn.
  const proof = import("./host-proof.ts");
  let isFirst = true;
  return async () => {
    if (!isFirst) return (await proof).isHostThere();
    isFirst = false;
    return true;
  };
}
