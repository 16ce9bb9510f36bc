/** Random lives of bridges, in process: the guarantees hold in each. `properties.long.ts` has more of them. */
import { testProperties } from "../testing/random/property-test.ts";

testProperties(700, 180_000);
