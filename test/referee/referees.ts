import { equations } from "./equations.ts";
import { esplash } from "./esplash.ts";
import { late } from "./late.ts";
import { mantri } from "./mantri.ts";
import type { Referee } from "./referee.ts";

export const REFEREES: readonly Referee[] = [esplash, mantri, equations, late];
