// viewcap/testing: a registry, a clock and expectations for the tests of an application. Needs no test runner.

export { createTestClock, type TestClock } from "./clock.js";
export { expectError, expectOk } from "./expect.js";
export { createTestSurface, type TestCallOptions, type TestSurface, type TestSurfaceOptions } from "./surface.js";
