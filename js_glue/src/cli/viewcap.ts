#!/usr/bin/env node
// The command: `viewcap contracts …`.

import "../entry.node.js";
import { main } from "./command.js";

process.exitCode = await main(process.argv.slice(2));
