/** A recorded job under other policies, in the simulator. Runs in any JavaScript engine. */
export type { Advice } from "./advise.ts";
export type { Answer, Change } from "./change.ts";
export type { WhatIf, WhatIfRow } from "./document.ts";
export type { Gate } from "./gate.ts";
export { type TryPoliciesOptions, tryPolicies } from "./try-policies.ts";
