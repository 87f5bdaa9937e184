import { z } from 'zod';
import { GODICE_SHELLS } from '../../src/devices/ble/godice-faces.js';
import { PIXELS_KINDS } from '../../src/devices/ble/pixels-faces.js';
import { LETTERS } from './godice-die.js';
import { STATUS } from './hci.js';
import { MOTIONS } from './motions.js';
import type { VirtualRadio } from './virtual-radio.js';

const die = z.string();
const share = z.number().min(0).max(1);
const ms = z.number().min(0);

const pixels = z.object({
  make: z.literal('pixels'),
  id: z.string().regex(/^[0-9a-f]{8}$/),
  kind: z.enum(PIXELS_KINDS),
  firmware: z.enum(['old', 'legacy', 'chunked']).optional(),
  name: z.string().max(31).optional(),
  face: z.number().optional(),
});

const godice = z.object({
  make: z.literal('godice'),
  id: z.string().regex(/^[0-9A-F]{6}$/),
  shell: z.enum(GODICE_SHELLS),
  colour: z.enum(LETTERS).optional(),
  face: z.number().optional(),
});

/** What a radio in another process can be told, one JSON object a line (README). */
export const Order = z.discriminatedUnion('do', [
  z.object({ do: z.literal('add'), die: z.discriminatedUnion('make', [pixels, godice]) }),
  z.object({ do: z.literal('remove'), die }),
  z.object({ do: z.literal('move'), die, motion: z.enum(MOTIONS), face: z.number() }),
  z.object({ do: z.literal('say'), die, hex: z.string().regex(/^([0-9a-fA-F]{2})*$/) }),
  z.object({ do: z.literal('cut'), die }),
  z.object({ do: z.literal('restore'), die }),
  z.object({ do: z.literal('lose'), die }),
  z.object({ do: z.literal('power'), die, ms }),
  z.object({ do: z.literal('charge'), die, on: z.boolean(), percent: z.number().min(0).max(100).optional() }),
  z.object({ do: z.literal('sleep'), die }),
  z.object({ do: z.literal('reach'), die, controllers: z.array(z.number().int().min(0)) }),
  z.object({ do: z.literal('aloof'), die, on: z.boolean() }),
  z.object({ do: z.literal('linkLoss'), die, share }),
  z.object({ do: z.literal('advertLoss'), share }),
  z.object({ do: z.literal('foreign'), count: z.number().int().min(1), intervalMs: ms, renewMs: ms.optional() }),
  z.object({ do: z.literal('flood'), count: z.number().int().min(1) }),
  z.object({ do: z.literal('refuse'), opcode: z.number().int(), status: z.number().int() }),
  z.object({ do: z.literal('refuseScan'), status: z.number().int() }),
  z.object({ do: z.literal('failConnect'), status: z.number().int() }),
  z.object({ do: z.literal('dropAtOnce'), reason: z.number().int() }),
  z.object({ do: z.literal('freeze'), on: z.boolean() }),
  z.object({ do: z.literal('packet'), die, first: z.boolean(), hex: z.string() }),
  z.object({
    do: z.literal('attFault'),
    die,
    refuseMtu: z.number().optional(),
    offerMtu: z.number().optional(),
    refuseWrite: z.number().optional(),
    refuseSwitch: z.number().optional(),
    mute: z.boolean().optional(),
  }),
  z.object({ do: z.literal('status') }),
]);
export type Order = z.infer<typeof Order>;

/** What an order gives back. */
export type Outcome = { readonly [name: string]: unknown };

function status(radio: VirtualRadio): Outcome {
  const { controller, air } = radio;
  return {
    scanning: controller.scan.on,
    links: controller.links.map(({ handle, mtu, intervalMs, peripheral }) => ({
      handle,
      mtu,
      intervalMs,
      address: peripheral.address,
    })),
    // Addresses of the dice that each controller links.
    controllers: radio.controllers.map(({ links }) => links.map(({ peripheral }) => peripheral.address)),
    overruns: controller.overruns,
    unknown: [...controller.unknown],
    sent: air.sent,
    lost: air.lost,
    flood: radio.flood.left,
  };
}

function link(radio: VirtualRadio, id: string) {
  const found = radio.link(id);
  if (found === undefined) throw new RangeError(`${id} has no link`);
  return found;
}

/** Carries out an order; throws a RangeError where a die is not there or has no such face. */
export function carryOut(radio: VirtualRadio, order: Order): Outcome {
  const { controller, air } = radio;
  switch (order.do) {
    case 'add': {
      const { address } = radio.add(order.die);
      return { address };
    }
    case 'remove':
      radio.remove(order.die);
      return {};
    case 'move':
      return { move: radio.move(order.die, order.motion, order.face) };
    case 'say':
      return { queued: radio.die(order.die).sayAndTell(Buffer.from(order.hex, 'hex')) };
    case 'cut':
      radio.cutLink(order.die);
      return {};
    case 'restore':
      radio.restoreLink(order.die);
      return {};
    case 'lose':
      link(radio, order.die).finish(STATUS.timeout);
      return {};
    case 'power':
      radio.powerLoss(order.die, order.ms);
      return {};
    case 'charge':
      radio.die(order.die).charge(order.on, order.percent);
      return {};
    case 'sleep':
      radio.die(order.die).sleep();
      return {};
    case 'reach':
      radio.reach(order.die, order.controllers);
      return {};
    case 'aloof':
      radio.die(order.die).aloof = order.on;
      return {};
    case 'linkLoss':
      link(radio, order.die).loss = order.share;
      return {};
    case 'advertLoss':
      air.loss = order.share;
      return {};
    case 'foreign':
      radio.foreign(order.count, order.intervalMs, order.renewMs);
      return {};
    case 'flood':
      radio.flood.pour(order.count);
      return {};
    case 'refuse':
      if (order.status === STATUS.ok) controller.faults.refuse.delete(order.opcode);
      else controller.faults.refuse.set(order.opcode, order.status);
      return {};
    case 'refuseScan':
      controller.scan.refuse = order.status === STATUS.ok ? undefined : order.status;
      return {};
    case 'failConnect':
      controller.faults.failConnect = order.status;
      return {};
    case 'dropAtOnce':
      controller.faults.dropAtOnce = order.reason;
      return {};
    case 'freeze':
      controller.faults.frozen = order.on;
      return {};
    case 'packet':
      link(radio, order.die).sendPacket(order.first, Buffer.from(order.hex, 'hex'));
      return {};
    case 'attFault': {
      const { do: _, die: id, ...faults } = order;
      Object.assign(radio.die(id).attFaults, faults);
      return {};
    }
    case 'status':
      return status(radio);
  }
}
