import type { DomainModuleFactory } from "../runtime/domain_table.js";

declare const factory: DomainModuleFactory;
export default factory;
