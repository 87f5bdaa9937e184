import type { JsonObject } from '../../dice/json.js';
import { PV_LOST, WIN_RATE } from './balance.js';

/**
 * What a room bought for the whole budget is likely to cost a fresh party of this level and size: share won (0 to 1), PV
 * each hero loses (0 to 20). A larger party than was played counts as the largest that was; null for nobody.
 */
export function forecastOf(level: number, heads: number): JsonObject | null {
  const won = WIN_RATE[level - 1];
  const lost = PV_LOST[level - 1];
  const at = Math.min(heads, won?.length ?? 0) - 1;
  const [winRate, pvLost] = [won?.[at], lost?.[at]];
  if (winRate === undefined || pvLost === undefined) return null;
  return { level, heads, winRate, pvLost };
}
