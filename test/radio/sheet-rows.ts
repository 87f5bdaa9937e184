import type { GodiceShell } from '../../src/devices/ble/godice-faces.js';

/** What a person saw a die do. */
export const LABELS = ['thrown', 'placed', 'leaning', 'in hand', 'bump', 'nothing'] as const;
export type Label = (typeof LABELS)[number];

/** IAmADie: a d20 of firmware 2024-11-07, rolled 20; of 2024-03; a D6 of 2023-11; a D4 of 2024-01 (protocols/pixels §7). */
const D20 = '02140107efbeadde5d40ef033412fcba2c6701135700';
const D20_OLD = '02140107efbeadde5d40ef033412d8dd016601135700';
const D6_OLD = '02060102efbeadde5d40ef0334120412576501005700';
const D6 = '02060102efbeadde5d40ef033412fcba2c6705005700';
const D4_OLD = '02060201efbeadded4c3b2a13412f043936501002a00';
const D12_OLD = '020c010aefbeadde5d40ef0334120412576501005700';
const D00_CHUNKED =
  '020f0001d05e786700010001000100010a5d40ef030105130100200000000000000000000000000000000000000000000000000000000000000020506978656c3033656634303564000000000000000000000000000000000000000d0b7a475790650000007000000557020509';

/** A sequence of the sheet: what the die said, what had been done, and how many throws of which face that makes. */
export interface SheetRow {
  readonly name: string;
  readonly shell?: GodiceShell;
  readonly frames: readonly string[];
  readonly label: Label;
  readonly throws: readonly number[];
}

/** The drive of protocols/pixels §7.3: E6 and E8 as what they are, old dice that were merely moved. */
export const PIXELS_ROWS: readonly SheetRow[] = [
  { name: 'E1', frames: [D20, '03020c', '03030c', '030305', '030307', '030107'], label: 'thrown', throws: [8] },
  { name: 'E2', frames: [D20, '030207', '030212', '030512'], label: 'placed', throws: [] },
  { name: 'E3', frames: [D20, '03030c', '030305', '030307', '030107', '030107'], label: 'thrown', throws: [8] },
  { name: 'E4', frames: [D20_OLD, '030213', '030207', '030107'], label: 'placed', throws: [] },
  { name: 'E5', frames: [D20_OLD, '030108', '030109', '03010a'], label: 'placed', throws: [] },
  { name: 'E6', frames: [D6_OLD, '030101', '030102', '030103', '030104', '030105'], label: 'placed', throws: [] },
  { name: 'E6 crooked', frames: [D6_OLD, '030402'], label: 'leaning', throws: [] },
  { name: 'E7', frames: [D6, '030402'], label: 'leaning', throws: [] },
  { name: 'E8', frames: [D4_OLD, '030102', '030103', '030105'], label: 'placed', throws: [] },
  { name: 'E9', frames: [D12_OLD], label: 'nothing', throws: [] },
  { name: 'E10', frames: [D00_CHUNKED], label: 'nothing', throws: [] },
  { name: 'E11', frames: [D20, '225700', '225600', '225602', '225603', '225600'], label: 'nothing', throws: [] },
  { name: 'E12', frames: [D20.replace('5d40ef03', '00000000')], label: 'nothing', throws: [] },
];

/** The readings of real dice of protocols/godice §7, each as the end of a throw; row 34 and 30 are no such readings. */
export const GODICE_ROWS: readonly SheetRow[] = [
  { name: '4', shell: 'd6', frames: ['52', '530040fe'], label: 'thrown', throws: [3] },
  { name: '29', shell: 'd4', frames: ['52', '54533d0116'], label: 'thrown', throws: [1] },
  { name: '31', shell: 'd4', frames: ['52', '5453edc6ea'], label: 'thrown', throws: [4] },
  { name: '32', shell: 'd4', frames: ['52', '5453ebff3b'], label: 'thrown', throws: [3] },
  { name: '33', shell: 'd4', frames: ['52', '545315c6ed'], label: 'thrown', throws: [3] },
  // The same reading with the wrong shell set: no face may be taken from it.
  { name: '30', shell: 'd6', frames: ['52', '54533d0116'], label: 'leaning', throws: [] },
];
