/** The same random lives as in `properties.test.ts`, many more of them. */
import { testProperties } from "../testing/random/property-test.ts";

testProperties(20_000, 900_000);
