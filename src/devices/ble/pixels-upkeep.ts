import { u16, u32, whole } from './pixels-commands.js';

// Commands for tools that a person runs. None is on the list of those that may be sent by themselves: some write flash,
// some end the link (protocols/pixels §3.1).

/** Bytes that one BulkData carries; a shorter rest is padded with zeros. */
export const BULK_BYTES = 100;
const NAME_BYTES = 32;

/** PowerOperation: the die leaves without an answer. */
export const encodePower = (operation: 'off' | 'reset' | 'sleep'): Uint8Array =>
  Uint8Array.of(53, ['off', 'reset', 'sleep'].indexOf(operation));

/** SetName, at most 31 bytes of UTF-8; writes flash, and the die restarts at the end of the link. */
export function encodeSetName(name: string): Uint8Array {
  const text = new TextEncoder().encode(name);
  if (text.length >= NAME_BYTES) throw new RangeError(`a name has at most ${NAME_BYTES - 1} bytes, not ${text.length}`);
  const bytes = new Uint8Array(1 + NAME_BYTES);
  bytes[0] = 51;
  bytes.set(text, 1);
  return bytes;
}

/** ClearSettings: the die forgets name, profile and normals. */
export const encodeClearSettings = (): Uint8Array => Uint8Array.of(70);

/** SetUserMode, firmware from November 2024 only: `remote` ends the die's own lights until the link ends. */
export const encodeUserMode = (mode: 'default' | 'remote'): Uint8Array => Uint8Array.of(72, mode === 'remote' ? 2 : 1);

/** NotifyUserAck: the user said ok, or not. */
export const encodeNotifyUserAck = (okay: boolean): Uint8Array => Uint8Array.of(40, okay ? 1 : 0);

/** PlayAnim: an animation of the stored profile on a face index. */
export const encodePlayAnim = (animation: number, face: number, loops = 1): Uint8Array =>
  Uint8Array.of(19, whole(animation, 255, 'animation'), whole(face, 255, 'face'), whole(loops, 255, 'loops'));

/** PlayInstantAnim: an animation of the set in memory, on a face index; 255 is the face that lies up. */
export const encodePlayInstantAnim = (animation: number, face = 0, loops = 1): Uint8Array =>
  Uint8Array.of(58, whole(animation, 255, 'animation'), whole(face, 255, 'face'), whole(loops, 255, 'loops'));

/** What an instant animation set holds: counts of its parts, and the size of its animations in bytes. */
export interface AnimationSet {
  readonly palette: number;
  readonly rgbKeyFrames?: number;
  readonly rgbTracks?: number;
  readonly keyFrames?: number;
  readonly tracks?: number;
  readonly animations: number;
  readonly animationBytes: number;
  /** The set itself, as it will be sent by BulkData. */
  readonly payload: Uint8Array;
}

/** The hash by which a die knows a set it has already: seed 5381, times 33, xor (§3.2). */
export const bernsteinHash = (bytes: Uint8Array): number =>
  bytes.reduce((hash, byte) => (Math.imul(hash, 33) ^ byte) >>> 0, 5381);

/** TransferInstantAnimSet: announces a set; the answer says whether it must be sent. */
export const encodeTransferInstantAnimSet = (set: AnimationSet): Uint8Array =>
  Uint8Array.from([
    55,
    ...u16(set.palette, 'palette'),
    ...u16(set.rgbKeyFrames ?? 0, 'rgbKeyFrames'),
    ...u16(set.rgbTracks ?? 0, 'rgbTracks'),
    ...u16(set.keyFrames ?? 0, 'keyFrames'),
    ...u16(set.tracks ?? 0, 'tracks'),
    ...u16(set.animations, 'animations'),
    ...u16(set.animationBytes, 'animationBytes'),
    ...u32(bernsteinHash(set.payload)),
  ]);

/** BulkSetup: how many bytes will come. */
export const encodeBulkSetup = (size: number): Uint8Array => Uint8Array.from([5, ...u16(size, 'size')]);

/** BulkData: the part of the payload from an offset on, at most `BULK_BYTES`. */
export function encodeBulkData(payload: Uint8Array, offset: number): Uint8Array {
  const part = payload.subarray(whole(offset, payload.length, 'offset'), offset + BULK_BYTES);
  const bytes = new Uint8Array(4 + BULK_BYTES);
  bytes.set([7, part.length, ...u16(offset, 'offset')]);
  bytes.set(part, 4);
  return bytes;
}
