/** Everyone whose result is the highest (or lowest); all who tie for it. A planar die is compared with nothing (706.7). */
export function selected(results: ReadonlyMap<string, number>, which: 'highest' | 'lowest'): readonly string[] {
  const values = [...results.values()];
  if (values.length === 0) return [];
  const best = which === 'highest' ? Math.max(...values) : Math.min(...values);
  return [...results].flatMap(([player, value]) => (value === best ? [player] : []));
}

/**
 * A contest in which those who tie roll again among themselves until one is left (Ricochet).
 * @param rounds results of each round; from the second on only of those who tied
 * @returns who is selected, how many rounds that took, and whom the next round is missing
 */
export function rolledOff(
  rounds: readonly ReadonlyMap<string, number>[],
  which: 'highest' | 'lowest',
): { readonly selected: readonly string[]; readonly rounds: number; readonly missing: readonly string[] } {
  let tied: readonly string[] | undefined;
  let used = 0;
  for (const round of rounds) {
    const taking = new Map([...round].filter(([player]) => tied?.includes(player) ?? true));
    const missing = (tied ?? []).filter((player) => !taking.has(player));
    if (missing.length > 0) return { selected: [], rounds: used, missing };
    tied = selected(taking, which);
    used += 1;
    if (tied.length < 2) return { selected: tied, rounds: used, missing: [] };
  }
  return { selected: [], rounds: used, missing: tied ?? [] };
}
