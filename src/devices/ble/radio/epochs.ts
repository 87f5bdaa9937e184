/** Starts of radio processes within one run of the daemon: what one run numbers never meets what the next one does. */
const STARTS = 1_000_000;

/**
 * Numbers for the radio processes of one run, whichever adapter each is for: none is given twice.
 * @param run number of this run of the daemon (journal epoch)
 */
export function epochsOf(run: number): () => number {
  let starts = 0;
  return () => {
    starts += 1;
    return run * STARTS + starts;
  };
}
