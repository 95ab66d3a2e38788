// viewcap/react in a real page, with each version of React that it supports.
import * as confirmations from "./fixtures/react/confirmations.js";
import * as lifetime from "./fixtures/react/lifetime.js";
import * as procedures from "./fixtures/react/procedures.js";
import * as renders from "./fixtures/react/renders.js";
import * as swaps from "./fixtures/react/swaps.js";
import { reactTests } from "./support/react.mjs";

await reactTests([lifetime, renders, swaps, confirmations, procedures].flatMap(({ scenarios }) => scenarios));
