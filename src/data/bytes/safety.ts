/**
 * `BROOMWAGON_SAFETY=off` leaves out what a run would need if something went wrong: the journal,
 * the checksums of files, most heartbeats. For `npm run bench -- engine --work safety` alone, which
 * tells what they cost.
 */
export const isSafe: boolean = process.env.BROOMWAGON_SAFETY !== "off";
