/**
 * `BROOMWAGON_SAFETY=off` leaves out everything that a run needs only if something goes wrong: the
 * journal, the checksums of files, most heartbeats. Only for `npm run bench -- engine --work
 * safety`, which measures their cost.
 */
export const isSafe: boolean = process.env.BROOMWAGON_SAFETY !== "off";
