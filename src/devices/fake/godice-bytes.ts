import type { GodiceShell } from '../ble/godice-faces.js';

// Literal notification bytes, taken from protocols/godice §2, §4.2 and §7 and not from the codec, which they test.

export const ROLLING = '52';
export const STABLE = '53';
export const TILT_STABLE = '5453';
export const MOVE_STABLE = '4D53';
export const BATTERY_FULL = '42617464';
export const NOT_CHARGING = '4368617200';

const D6: readonly (readonly [number, string])[] = [
  [1, 'C00000'],
  [2, '000040'],
  [3, '004000'],
  [4, '00C000'],
  [5, '0000C0'],
  [6, '400000'],
];

const D20: readonly (readonly [number, string])[] = [
  [1, 'C000EA'],
  [2, '2AD628'],
  [3, '0016C0'],
  [4, '001640'],
  [5, 'D6D62A'],
  [6, '164000'],
  [7, 'D6D6D6'],
  [8, '4000EA'],
  [9, 'EA4000'],
  [10, '2AD6D6'],
  [11, 'D62A2A'],
  [12, '16C000'],
  [13, 'C00016'],
  [14, '2A2A2A'],
  [15, 'EAC000'],
  [16, '2A2AD6'],
  [17, '00EAC0'],
  [18, '00EA40'],
  [19, 'D62AD6'],
  [20, '400016'],
];

const D10: readonly (readonly [number, string])[] = [
  [0, '4000EA'],
  [1, '001640'],
  [2, '2AD628'],
  [3, '164000'],
  [4, 'D6D62A'],
  [5, '2AD6D6'],
  [6, '0016C0'],
  [7, 'EA4000'],
  [8, '400016'],
  [9, 'D6D6D6'],
];

const D10X: readonly (readonly [number, string])[] = [
  [0, '4000EA'],
  [10, '001640'],
  [20, '2AD628'],
  [30, '164000'],
  [40, 'D6D62A'],
  [50, '2AD6D6'],
  [60, '0016C0'],
  [70, 'EA4000'],
  [80, '400016'],
  [90, 'D6D6D6'],
];

// 1, 3 and 4 are readings of a real die (rows 29, 31, 32); the suspect cells of the published table are left out.
const D4: readonly (readonly [number, string])[] = [
  [1, '3D0116'],
  [2, '14C714'],
  [3, 'EBFF3B'],
  [4, 'EDC6EA'],
];

const D8: readonly (readonly [number, string])[] = [
  [1, 'C30014'],
  [2, '281D28'],
  [3, '14C7EC'],
  [4, 'D81D28'],
  [5, '3D0116'],
  [6, 'D8E328'],
  [7, 'D8E3D8'],
  [8, 'ECC7EC'],
];

const D12: readonly (readonly [number, string])[] = [
  [1, '14C7EC'],
  [2, '14003D'],
  [3, 'D8E328'],
  [4, 'C30014'],
  [5, 'EC39EC'],
  [6, 'D8E3D8'],
  [7, '143914'],
  [8, '14C714'],
  [9, 'D81D28'],
  [10, 'EC003D'],
  [11, 'ECC714'],
  [12, '3D0116'],
];

/** The three bytes of x, y, z with which a die in this shell shows each of its printed faces. */
export const FACE_BYTES: { readonly [S in GodiceShell]: ReadonlyMap<number, string> } = {
  d4: new Map(D4),
  d6: new Map(D6),
  d8: new Map(D8),
  d10: new Map(D10),
  d10x: new Map(D10X),
  d12: new Map(D12),
  d20: new Map(D20),
};
