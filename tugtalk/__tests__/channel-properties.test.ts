/** Random lives of five channels in one process. `channel-properties.long.ts` has more of them. */
import { testChannels } from "../testing/random/channel-property.ts";

testChannels(80, 180_000);
