/** A recorded job under other policies, in the simulator. Runs in any JavaScript engine. */
export {
  type Change,
  type Gate,
  type WhatIf,
  type WhatIfOptions,
  type WhatIfRow,
  whatIf,
} from "./what-if.ts";
