import type { HeroClass, Perk } from '../data.js';

/** Sample classes, invented for this program: the real ones are read from the box. */
export const SAMPLE_CLASSES: { readonly [id: string]: HeroClass } = {
  baluardo: {
    name: { it: 'Baluardo (esempio)', en: 'Bulwark (sample)' },
    dice: { physical: 10, magic: 4, defence: 12, agility: 8 },
  },
  cantarune: {
    name: { it: 'Cantarune (esempio)', en: 'Runesinger (sample)' },
    dice: { physical: 4, magic: 12, defence: 8, agility: 10 },
  },
  ombralama: {
    name: { it: 'Ombralama (esempio)', en: 'Shadeblade (sample)' },
    dice: { physical: 10, magic: 8, defence: 4, agility: 12 },
  },
  spaccarocce: {
    name: { it: 'Spaccarocce (esempio)', en: 'Rockbreaker (sample)' },
    dice: { physical: 12, magic: 4, defence: 10, agility: 8 },
  },
};

/** Sample perks: which one each sample class gains at which level (G8). */
export const SAMPLE_PERKS: { readonly [id: string]: { readonly [level: string]: readonly Perk[] } } = {
  baluardo: {
    '2': [{ kind: 'mastery', stat: 'defence', amount: 1 }],
    '3': [{ kind: 'economy' }],
    '4': [{ kind: 'advantage', stat: 'defence', checks: true }],
    '5': [{ kind: 'mastery', stat: 'physical', amount: 1 }],
    '6': [{ kind: 'mastery', stat: 'defence', amount: 1 }],
    '7': [{ kind: 'advantage', stat: 'physical' }],
    '8': [{ kind: 'mastery', stat: 'agility', amount: 1 }],
    '9': [{ kind: 'mastery', stat: 'defence', amount: 2 }],
    '10': [{ kind: 'advantage', stat: 'defence' }],
  },
  cantarune: {
    '2': [{ kind: 'mastery', stat: 'magic', amount: 1 }],
    '3': [{ kind: 'advantage', stat: 'magic', checks: true }],
    '4': [{ kind: 'economy' }],
    '5': [{ kind: 'mastery', stat: 'defence', amount: 1 }],
    '6': [{ kind: 'mastery', stat: 'magic', amount: 1 }],
    '7': [{ kind: 'mastery', stat: 'agility', amount: 1 }],
    '8': [{ kind: 'advantage', stat: 'agility' }],
    '9': [{ kind: 'mastery', stat: 'magic', amount: 2 }],
    '10': [{ kind: 'advantage', stat: 'magic' }],
  },
  ombralama: {
    '2': [{ kind: 'economy' }],
    '3': [{ kind: 'mastery', stat: 'agility', amount: 1 }],
    '4': [{ kind: 'advantage', stat: 'agility', checks: true }],
    '5': [{ kind: 'mastery', stat: 'physical', amount: 1 }],
    '6': [{ kind: 'mastery', stat: 'defence', amount: 1 }],
    '7': [{ kind: 'advantage', stat: 'physical' }],
    '8': [{ kind: 'mastery', stat: 'agility', amount: 2 }],
    '9': [{ kind: 'mastery', stat: 'physical', amount: 1 }],
    '10': [{ kind: 'advantage', stat: 'defence' }],
  },
  spaccarocce: {
    '2': [{ kind: 'mastery', stat: 'physical', amount: 1 }],
    '3': [{ kind: 'advantage', stat: 'physical', checks: true }],
    '4': [{ kind: 'mastery', stat: 'defence', amount: 1 }],
    '5': [{ kind: 'mastery', stat: 'physical', amount: 1 }],
    '6': [{ kind: 'economy' }],
    '7': [{ kind: 'mastery', stat: 'agility', amount: 1 }],
    '8': [{ kind: 'advantage', stat: 'defence' }],
    '9': [{ kind: 'mastery', stat: 'physical', amount: 2 }],
    '10': [{ kind: 'advantage', stat: 'physical' }],
  },
};
