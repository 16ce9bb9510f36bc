/** Plain text of many lines, as it is written. */
import { Folded } from "./folded.tsx";
import { LongText } from "./long-text.tsx";

const SIZE = { head: 40, tail: 10 };

export function TextBlock({ text }: { readonly text: string }) {
  return (
    <div class="text-block">
      <Folded
        lines={text.split("\n")}
        size={SIZE}
        draw={(line, index) => (
          <div key={index} class="text-line">
            <LongText text={line} />
          </div>
        )}
      />
    </div>
  );
}
