#!/usr/bin/env node
// The command: `viewcap contracts …`.

import "../entry.node.js";
import { main } from "./command.js";

// A module may have left something open; what was written has to arrive.
const code = await main(process.argv.slice(2));
process.stdout.write("", () => process.exit(code));
