import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { boxCheck, boxSamples } from '../../src/cli/box.js';
import type { Json, JsonObject } from '../../src/dice/json.js';
import { readBoxFile } from '../../src/games/dicebound/box-file.js';
import { boxContents, sampleBox } from '../../src/games/dicebound/box-view.js';
import type { GameData } from '../../src/games/dicebound/data.js';
import { dicebound } from '../../src/games/dicebound/dicebound.js';
import { SAMPLES } from '../../src/games/dicebound/samples/samples.js';
import { readPlacedJson } from '../../src/games/placed-json.js';
import { diceboundBoxSchema } from '../../src/wire/dicebound-box.js';
import { BOX, Play } from './dicebound-play.js';

const told = (play: Play): string =>
  'code' in play.last ? `${play.last.verdict} ${play.last.code} ${play.last.rule}` : play.last.verdict;

const SWORD = { slot: 'physical', class: 'knight', cost: 2, die: 6 };
const OGRE = { cost: 5, pv: 30, pa: 4, defence: 8, agility: 4, attacks: { physical: { sides: 10, cost: 2 } } };

/** A file with these entries, one field a line. */
const fileOf = (entries: JsonObject): string =>
  JSON.stringify({ format: 'tiro-dicebound-box', version: 1, ...entries }, null, 1);

describe('what is entered from the real box', () => {
  test('a player enters a tile by what is printed on it, and draws it by its number', () => {
    const play = new Play({ ...BOX, level: 9, campaign: 'fast' });
    play.act('gm', 'adjust', { level: 10 });
    expect(play.act('ada', 'box', { tiles: { '231': SWORD } }).last.verdict).toBe('accepted');
    expect(play.state.data.tiles['231']).toMatchObject({ slot: 'physical', class: 'knight', cost: 2, die: 6, flat: 0 });
    expect(play.state.data.tiles['101']).toBeDefined();
    expect(play.state.edits).toBe(1);
  });

  test('a player enters tiles and classes only; what the GM enters of monsters is nobody else’s to see', () => {
    const play = new Play(BOX);
    expect(told(play.act('ada', 'box', { monsters: { ogre: OGRE } }))).toBe('refused wrong_seat dicebound:T1');
    expect(told(play.act('ada', 'box', { remove: 'samples' }))).toBe('refused wrong_seat dicebound:T1');
    play.act('gm', 'box', { monsters: { ogre: OGRE } });
    expect(play.last).toMatchObject({ verdict: 'accepted', events: [{ kind: 'boxed', to: [] }] });
    expect(play.act('gm', 'openRoom', { buy: ['ogre'] }).last.verdict).toBe('accepted');
    const spectator = JSON.stringify(dicebound.view(play.state, { role: 'spectator' }).state);
    expect(spectator).not.toContain('"sides":10');
    const snared = new Play(BOX).act('gm', 'openRoom', { buy: ['pit'] }).state;
    expect(dicebound.view(snared, { role: 'gm' }).state.box).toMatchObject({ traps: { pit: { pa: 2 } } });
    expect(dicebound.view(snared, { role: 'spectator' }).state.box).toMatchObject({ traps: {} });
    expect(JSON.stringify(dicebound.view(snared, { role: 'spectator' }))).not.toContain('pit');
    expect(boxContents(play.state, { role: 'seat', seat: 'ada' })).not.toHaveProperty('monsters');
    expect(boxContents(play.state, { role: 'gm' })).toHaveProperty('monsters.ogre.pv', 30);
  });

  test('a faulty entry names place, field and remedy, and changes nothing', () => {
    const play = new Play(BOX);
    const before = play.state;
    play.act('gm', 'box', { tiles: { '231': { ...SWORD, cost: 99 } } });
    expect(play.last).toMatchObject({
      verdict: 'refused',
      code: 'bad_data',
      reason: 'tiles.231.cost is 99',
      expected: 'tiles.231.cost: a whole number, 0 to 20',
    });
    expect(told(play.act('gm', 'box', {}))).toBe('refused no_change dicebound:T1');
    expect(told(play.act('gm', 'box', { traps: { orc: { cost: 3 } } }))).toBe('refused bad_data dicebound:T1');
    expect(play.state).toBe(before);
  });

  test('what lies on a board or stands in the room stays as it is', () => {
    const play = new Play({ ...BOX, startingTiles: { ada: ['101'] } });
    expect(told(play.act('gm', 'box', { remove: { tiles: ['101'] } }))).toBe('refused in_use dicebound:T1');
    expect(told(play.act('gm', 'box', { tiles: { '101': { slot: 'magic' } } }))).toBe('refused in_use dicebound:T1');
    expect(play.act('gm', 'box', { tiles: { '101': { ...SWORD, cost: 1 } } }).last.verdict).toBe('accepted');
    play.act('gm', 'openRoom', { buy: ['orc'] });
    expect(told(play.act('gm', 'box', { monsters: { orc: OGRE } }))).toBe('refused in_use dicebound:T1');
    play.act('gm', 'startFight');
    expect(told(play.act('ada', 'box', { tiles: { '101': SWORD } }))).toBe('refused in_use dicebound:T1');
    // The same again changes nothing: the whole file may be read in the middle of a room.
    const same = { tiles: { '101': { ...SWORD, cost: 1 } }, monsters: BOX.monsters ?? null };
    expect(play.act('gm', 'box', same).last.verdict).toBe('accepted');
    expect(play.act('gm', 'box', { remove: { tiles: ['102'] } }).last.verdict).toBe('accepted');
    expect(play.state.data.tiles).not.toHaveProperty('102');
  });

  test('the samples go when the real box comes, but for what is in use', () => {
    const play = new Play({ ...BOX, startingTiles: { ada: ['101'] } });
    const read = readBoxFile(JSON.stringify(sampleBox()), 'samples.json');
    for (const fields of read.ok ? read.value : []) play.act('gm', 'box', fields);
    expect(play.state.data.tiles).toHaveProperty('801');
    play.act('gm', 'openRoom', { buy: ['fungo'] });
    play.act('gm', 'box', { tiles: { '231': SWORD }, remove: 'samples' });
    expect(Object.keys(play.state.data.tiles).sort()).toEqual([...Object.keys(BOX.tiles ?? {}), '231'].sort());
    expect(Object.keys(play.state.data.classes)).toHaveLength(1);
    expect(Object.keys(play.state.data.monsters).sort()).toEqual(['boss', 'fungo', 'orc', 'swarm']);
  });

  test('a class is laid out on the four statistics and taken by a board, out of fights', () => {
    const play = new Play(BOX);
    const dice = { physical: 8, magic: 4, defence: 12, agility: 10 };
    play.act('ada', 'box', { classes: { monaca: { name: 'Monaca', dice } } });
    expect(play.act('ada', 'class', { class: 'monaca' }).last.verdict).toBe('accepted');
    expect(play.state.heroes.ada).toMatchObject({ class: 'monaca', dice });
    expect(play.act('gm', 'class', { who: 'bea', class: 'monaca' }).last.verdict).toBe('accepted');
    expect(told(play.act('ada', 'class', { class: '__proto__' }))).toBe('refused unknown_class dicebound:D1');
    expect(told(play.act('ada', 'box', { classes: { due: { dice: { ...dice, agility: 12 } } } }))).toBe(
      'refused bad_data dicebound:T1',
    );
    play.act('gm', 'openRoom', { buy: ['orc'] }).act('gm', 'startFight');
    expect(told(play.act('ada', 'class', { class: 'monaca' }))).toBe('refused in_fight dicebound:D1');
    const arena = new Play({ ...BOX, mode: 'arena' });
    expect(arena.act('ada', 'class', { class: 'cantarune' }).last.verdict).toBe('accepted');
    arena.roll('ada', [10, 7]);
    expect(told(arena.act('bea', 'class', { class: 'cantarune' }))).toBe('refused in_fight dicebound:D1');
  });
});

describe('the file of a box', () => {
  const known = (entries: Json): unknown => JSON.parse(JSON.stringify(entries));

  test('what is exported is imported as it was, and fits its schema', () => {
    const text = JSON.stringify(sampleBox(), null, 2);
    expect(diceboundBoxSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
    const read = readBoxFile(text, 'samples.json');
    if (!read.ok) throw new Error(JSON.stringify(read.error));
    const play = new Play(BOX);
    for (const fields of read.value) expect(play.act('gm', 'box', fields).last.verdict).toBe('accepted');
    for (const kind of ['tiles', 'perks', 'monsters', 'traps', 'environments'] satisfies (keyof GameData)[])
      expect(known(play.state.data[kind] as unknown as Json)).toMatchObject(
        known(SAMPLES[kind] as unknown as Json) as object,
      );
  });

  test('a fault names file, line, field and remedy, all faults at once, in the order of their lines', () => {
    const text = fileOf({
      tiles: { '231': { slot: 'physical', cost: 99 }, '232': { slot: 'magic', kost: 1 } },
      monsters: { ogre: { ...OGRE, attacks: {} } },
    });
    const read = readBoxFile(text, 'mia.json');
    const lines = text.split('\n');
    const at = (part: string): number => lines.findIndex((line) => line.includes(part)) + 1;
    expect(read).toMatchObject({
      ok: false,
      error: [
        {
          file: 'mia.json',
          line: at('"cost": 99'),
          field: 'tiles.231.cost',
          reason: 'is 99',
          remedy: 'a whole number, 0 to 20',
          inItalian: { reason: 'è 99', remedy: 'un numero intero, da 0 a 20' },
        },
        {
          file: 'mia.json',
          line: at('"kost"'),
          field: 'tiles.232.kost',
          reason: 'is no known field',
          inItalian: { reason: 'qui non si conosce questo nome' },
        },
        { file: 'mia.json', line: at('"attacks"'), field: 'monsters.ogre.attacks' },
      ],
    });
  });

  test.each([
    ['{\n "format": "tiro-dicebound-box",\n "version": 1\n "tiles": {}\n}', 4, ', or }'],
    ['{\n "format": "tiro-dicebound-box', 2, '" at its end, no line break in it'],
    ['{\n "tiles": {},\n "tiles": {}\n}', 3, 'each name once'],
    ['{\n "tiles": {\n', 3, 'close every { [ and "'],
    ['{ "tiles": nix }', 1, 'a number, a "text", true, false, null, { or ['],
    ['{}\n{}', 2, 'one object in a file'],
    ['', 1, 'close every { [ and "'],
    ['['.repeat(5000), 1, 'less depth'],
  ])('no JSON: %j breaks off on line %i', (text, line, remedy) => {
    expect(readBoxFile(text, 'b.json')).toMatchObject({ ok: false, error: [{ file: 'b.json', line, remedy }] });
  });

  test('another file is told what it lacks; names of the language are ordinary names (F154)', () => {
    const read = readBoxFile('{"__proto__": {"format": 1}, "constructor": {}}', 'b.json');
    expect(read.ok ? [] : read.error.map((fault) => fault.field)).toEqual([
      'format',
      'version',
      '__proto__',
      'constructor',
    ]);
  });

  test('plain JSON is read as JSON.parse reads it', () => {
    for (const value of [0, -1.5e3, 'è "\\ \u0007\n', [], {}, [[1, { a: null }], true], { '': { x: [false] } }]) {
      const text = JSON.stringify(value, null, 1);
      const read = readPlacedJson(text);
      expect(read.ok && read.value.value).toEqual(JSON.parse(text));
    }
  });

  test('a box of a thousand tiles comes in deeds of a bounded size', () => {
    const tiles = Object.fromEntries(Array.from({ length: 999 }, (_, n) => [String(n).padStart(3, '0'), SWORD]));
    const read = readBoxFile(fileOf({ tiles }), 'b.json');
    expect(read.ok && Math.max(...read.value.map((one) => JSON.stringify(one).length))).toBeLessThan(16_000);
    const play = new Play(BOX);
    for (const fields of read.ok ? read.value : []) play.act('gm', 'box', fields);
    expect(Object.keys(play.state.data.tiles)).toHaveLength(999);
  });
});

describe('tiro box', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiro-box-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What a command writes, and its exit code. */
  const run = (act: (out: PassThrough, err: PassThrough) => number) => {
    const [out, err] = [new PassThrough(), new PassThrough()];
    const code = act(out, err);
    return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') };
  };

  test('writes the samples, finds them right, and tells faults with file, line, field and remedy', () => {
    const file = join(folder, 'box.json');
    writeFileSync(file, run((out) => boxSamples(out)).out);
    const counted = '(4 classes, 60 tiles, 4 perks, 15 monsters, 6 traps, 6 environments)';
    expect(run((out, err) => boxCheck(file, 'en', out, err))).toEqual({
      code: 0,
      out: `${file}: right ${counted}\n`,
      err: '',
    });
    expect(run((out, err) => boxCheck(file, 'it', out, err)).out).toBe(
      `${file}: va bene (classi: 4, tesserine: 60, classi con Vantaggi: 4, mostri: 15, trappole: 6, eventi: 6)\n`,
    );
    writeFileSync(file, fileOf({ tiles: { '231': { slot: 'hand' } } }));
    const faulty = run((out, err) => boxCheck(file, 'en', out, err));
    expect(faulty).toMatchObject({ code: 2, out: '' });
    expect(faulty.err).toBe('box.json:6: tiles.231.slot is "hand"; write physical, magic, armour, accessory\n');
    const inItalian = run((out, err) => boxCheck(file, 'it', out, err));
    expect(inItalian.err).toBe('box.json:6: tiles.231.slot è "hand"; scrivi physical, magic, armour, accessory\n');
    const none = join(folder, 'none.json');
    for (const language of ['it', 'en'] as const)
      expect(run((out, err) => boxCheck(none, language, out, err))).toMatchObject({ code: 2, out: '' });
  });
});
