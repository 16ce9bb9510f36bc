/** A visit of a page, as the client knows it from all sessions. */
export function visitId(sessionId: string, server: string, elicitationId: string): string {
  return [sessionId, server, elicitationId].join("/");
}
