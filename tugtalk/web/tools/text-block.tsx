/** Plain text of many lines, unformatted. */
import { Folded, LongText } from "./folded.tsx";

export function TextBlock({ text }: { readonly text: string }) {
  return (
    <div class="text-block">
      <Folded
        lines={text.split("\n")}
        size={{ head: 40, tail: 10 }}
        draw={(line, index) => (
          <div key={index} class="text-line">
            <LongText text={line} />
          </div>
        )}
      />
    </div>
  );
}
