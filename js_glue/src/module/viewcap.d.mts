import type { ModuleFactory } from "../runtime/table.js";

declare const factory: ModuleFactory;
export default factory;
