/** The same random lives of five channels as in `channel-properties.test.ts`, many more of them. */
import { testChannels } from "../testing/random/channel-property.ts";

testChannels(1_000, 900_000);
