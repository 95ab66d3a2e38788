// viewcap/inspector: importing it defines <viewcap-inspector>, where there are custom elements.

import { defineInspector } from "./element.js";

export { defineInspector, ViewcapInspector } from "./element.js";

defineInspector();
