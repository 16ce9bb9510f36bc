/** Random lives of five channels in one process. `channel-properties.long.ts` has more of them. */
import { testChannels } from "../testing/random/channel-property.ts";

testChannels(40, 180_000);
