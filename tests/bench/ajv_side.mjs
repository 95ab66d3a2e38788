// The workload on the hand-written registry.

import Ajv from "ajv";
import { AjvRegistry } from "./ajv_registry.mjs";
import { behaviour } from "./workload.mjs";

const kDaysBefore = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text) {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 && leap ? 29 : kDaysBefore[month - 1]);
}

/** ajv as this comparison uses it everywhere: formats checked, all issues collected, nothing coerced. */
export function makeAjv() {
  const ajv = new Ajv.default({ allErrors: true, strict: false });
  ajv.addFormat("date", isDate);
  return ajv;
}

export const makeAjvRegistry = () => new AjvRegistry(makeAjv());

/** The counterpart of `mountMany` for viewcap. */
export function mountManyAjv(registry, plain, count, options) {
  const handles = [];
  for (let index = 0; index < count; index++) {
    const contract = plain[index % plain.length];
    const round = Math.floor(index / plain.length);
    handles.push(
      registry.register(contract, behaviour(contract, options), round === 0 ? {} : { instanceId: `copy-${round}` }),
    );
  }
  return handles;
}
