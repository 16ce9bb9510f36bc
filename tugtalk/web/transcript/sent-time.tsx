/** When a message was sent: the time of day, and the date too if that is another one. */

export function SentTime({ at }: { readonly at: number }) {
  const date = new Date(at);
  return (
    <>
      <time dateTime={date.toISOString()} title={date.toLocaleString()}>
        {formatSent(date, new Date())}
      </time>
      {" · "}
    </>
  );
}

function formatSent(date: Date, now: Date): string {
  const timeStyle = "short";
  return date.toDateString() === now.toDateString()
    ? date.toLocaleTimeString(undefined, { timeStyle })
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle });
}
