import type { PixelsKind } from '../ble/pixels-faces.js';

// Literal notification bytes, taken from protocols/pixels §3.2, §5 and §10 and not from the codec, which they test.

export const HANDLING = '0302';
export const ROLLING = '0303';
export const ROLLED = '0301';
export const ON_FACE = '0305';
export const CROOKED = '0304';

/** Every face a die of firmware 2024-11-07 shows, with the byte of its index, in the order of the indices. */
export const PIXELS_FACE_BYTES: { readonly [K in PixelsKind]: readonly (readonly [face: number, index: string])[] } = {
  d4: [
    [1, '00'],
    [2, '01'],
    [3, '02'],
    [4, '03'],
  ],
  d6: [
    [1, '00'],
    [2, '01'],
    [3, '02'],
    [4, '03'],
    [5, '04'],
    [6, '05'],
  ],
  d6pipped: [
    [1, '00'],
    [2, '01'],
    [3, '02'],
    [4, '03'],
    [5, '04'],
    [6, '05'],
  ],
  fudge: [
    [1, '00'],
    [-1, '01'],
    [0, '02'],
    [0, '03'],
    [-1, '04'],
    [1, '05'],
  ],
  d8: [
    [1, '00'],
    [2, '01'],
    [3, '02'],
    [4, '03'],
    [5, '04'],
    [6, '05'],
    [7, '06'],
    [8, '07'],
  ],
  d10: [
    [0, '00'],
    [1, '01'],
    [2, '02'],
    [3, '03'],
    [4, '04'],
    [5, '05'],
    [6, '06'],
    [7, '07'],
    [8, '08'],
    [9, '09'],
  ],
  d00: [
    [0, '00'],
    [10, '01'],
    [20, '02'],
    [30, '03'],
    [40, '04'],
    [50, '05'],
    [60, '06'],
    [70, '07'],
    [80, '08'],
    [90, '09'],
  ],
  d12: [
    [1, '00'],
    [2, '01'],
    [3, '02'],
    [4, '03'],
    [5, '04'],
    [6, '05'],
    [7, '06'],
    [8, '07'],
    [9, '08'],
    [10, '09'],
    [11, '0A'],
    [12, '0B'],
  ],
  d20: [
    [1, '00'],
    [2, '01'],
    [3, '02'],
    [4, '03'],
    [5, '04'],
    [6, '05'],
    [7, '06'],
    [8, '07'],
    [9, '08'],
    [10, '09'],
    [11, '0A'],
    [12, '0B'],
    [13, '0C'],
    [14, '0D'],
    [15, '0E'],
    [16, '0F'],
    [17, '10'],
    [18, '11'],
    [19, '12'],
    [20, '13'],
  ],
};

/** IAmADie of firmware 2024-11-07 up to its state: lights, onyx, type, set, pixelId, flash, build. */
export const I_AM_A_DIE: { readonly [K in PixelsKind]: string } = {
  d4: '02060101EFBEADDE0400FA0E3412FCBA2C67',
  d6: '02060102EFBEADDE0600FA0E3412FCBA2C67',
  d6pipped: '02150108EFBEADDE1600FA0E3412FCBA2C67',
  fudge: '02060109EFBEADDE2600FA0E3412FCBA2C67',
  d8: '02080103EFBEADDE0800FA0E3412FCBA2C67',
  d10: '020A0104EFBEADDE1000FA0E3412FCBA2C67',
  d00: '020A0105EFBEADDE0001FA0E3412FCBA2C67',
  d12: '020C0106EFBEADDE1200FA0E3412FCBA2C67',
  d20: '02140107EFBEADDE2000FA0E3412FCBA2C67',
};

/** State onFace; the index follows, then `BATTERY_87`. */
export const RESTING = '05';
export const BATTERY_87 = '5700';

/** The build of these bytes, 2024-11-07. */
export const FAKE_FIRMWARE = 1_730_984_700;

/** A die of this firmware looks at itself so often; rest is three looks (§4.2, §10). */
export const SAMPLE_MS = 160;
export const CALM_MS = 480;
export const FEWEST_ROLLING = 5;
export const MOST_ROLLING = 9;
