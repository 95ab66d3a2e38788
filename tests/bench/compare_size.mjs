// The sizes of modules and glue as figures of the benchmark, and what the libraries cost in them.

import { measureSizes } from "./sizes.mjs";
import { report } from "./measure.mjs";

const { lean, full, domain, glue, glueUnbundled, glueWithProtocol } = await measureSizes();

report({
  figures: {
    size_lean_brotli_bytes: lean.brotli,
    size_full_brotli_bytes: full.brotli,
    size_glue_brotli_bytes: glue.brotli,
    size_domain_brotli_bytes: domain.brotli,
  },
  details: {
    "lean module, raw bytes": lean.raw,
    "full module, raw bytes": full.raw,
    "domain module, raw bytes": domain.raw,
    "valijson with its nlohmann (full less lean), brotli bytes": full.brotli - lean.brotli,
    "glue, minified bundle, raw bytes": glue.raw,
    "glue with viewcap/protocol, minified bundle, brotli bytes": glueWithProtocol.brotli,
    [`glue as shipped, ${glueUnbundled.files} files, raw bytes`]: glueUnbundled.raw,
    [`glue as shipped, ${glueUnbundled.files} files, brotli bytes each, summed`]: glueUnbundled.brotli,
  },
});
