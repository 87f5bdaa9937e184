import type { RollWire } from '../../wire/envelope.js';
import { playsDicebound } from '../dicebound/game.js';
import { DiceboundGm } from '../dicebound/gm.js';
import { DiceboundParty } from '../dicebound/party.js';
import { Returned } from '../dicebound/returned.js';
import { DiceboundTable } from '../dicebound/table.js';
import { say } from '../language.js';
import { playsMagic } from '../magic/game.js';
import { MagicGm } from '../magic/now.js';
import { MagicTable } from '../magic/table.js';
import { AwaitedNow } from '../parts/awaited.js';
import { ToDo } from '../parts/choices.js';
import { Claiming } from '../parts/claim.js';
import { DadoteckTable } from '../parts/dadoteck.js';
import { Dice } from '../parts/dice.js';
import { DiceList } from '../parts/dice-list.js';
import { Evening, NewGame } from '../parts/evening.js';
import { Fixes, FixRoll } from '../parts/fixes.js';
import { Banners, Card, Fold, Frame, Standing, tableLinks } from '../parts/frame.js';
import { LooseRolls } from '../parts/loose.js';
import { Notices } from '../parts/notices.js';
import { Offers } from '../parts/offers.js';
import { Overlays } from '../parts/overlays.js';
import { Phones } from '../parts/phones.js';
import { AskRoll, Posts } from '../parts/posts.js';
import { RadioPlan } from '../parts/radio.js';
import { Rolls } from '../parts/roll.js';
import { Seats } from '../parts/seats.js';
import { FreeRoll } from '../parts/typed.js';
import { type Room, useRoom } from '../room.js';

/** The GM's screen: everything of the table, and control over it. */
export function GmPage({ table }: { table: string }) {
  const room = useRoom(table, 'gm');
  const view = room.view.value;
  return (
    <Frame
      title={say('page.gm')}
      subtitle={view?.name ?? table}
      links={[...tableLinks(table, 'gm'), { href: `/overlay/${table}`, text: say('page.overlay') }]}
      status={<Standing room={room} />}
    >
      <Banners room={room} />
      {view === null ? null : (
        <>
          <AwaitedNow room={room} />
          <div class="gm-grid">
            <Middle room={room} />
            <Side room={room} />
          </div>
        </>
      )}
    </Frame>
  );
}

function Middle({ room }: { room: Room }) {
  const view = room.view.value;
  const turn = new Set(room.awaited.value.map((call) => call.seat ?? ''));
  return (
    <div class="gm-column">
      <Returned room={room} />
      {playsDicebound(view) ? <DiceboundGm room={room} /> : null}
      {playsMagic(view) ? (
        <>
          <MagicGm room={room} view={view} />
          <MagicTable room={room} view={view} hand="gm" />
        </>
      ) : null}
      {room.awaited.value.length === 0 || playsDicebound(view) || playsMagic(view) ? null : (
        <Card title={say('awaited.title')}>
          <ToDo room={room} calls={room.awaited.value} asGm />
        </Card>
      )}
      {view?.game.id === 'dadoteck' ? <DadoteckTable view={view} turn={turn} /> : null}
      {(view?.loose?.length ?? 0) === 0 ? null : (
        <Card title={say('loose.title')} kind="card-loose">
          <LooseRolls room={room} act="assign" />
        </Card>
      )}
      <Card title={say('rolls.title')} kind="card-rolls card-long">
        <Rolls room={room} action={(roll: RollWire) => <FixRoll room={room} roll={roll} />} />
      </Card>
    </div>
  );
}

function Side({ room }: { room: Room }) {
  const view = room.view.value;
  const refereed = view?.game.id !== 'free' && view?.game.id !== 'external';
  return (
    <>
      <div class="gm-column">
        <Notices room={room} />
        <Offers room={room} />
        <Card title={say('fix.title')}>
          <Fixes room={room} />
        </Card>
        {playsDicebound(view) ? (
          <>
            <DiceboundTable room={room} aside />
            <DiceboundParty room={room} />
          </>
        ) : (
          <Card title={say('seats.title')}>
            <Seats room={room} />
          </Card>
        )}
        <Fold title={say('virtual.title')} open={!refereed}>
          <p class="quiet">{say('virtual.hint')}</p>
          <FreeRoll room={room} />
        </Fold>
        <Fold title={say('call.title')}>
          <AskRoll room={room} />
        </Fold>
      </div>
      <div class="gm-column">
        <Card title={say('evening.title')}>
          <Evening room={room} />
        </Card>
        <Card title={say('die.title')}>
          <RadioPlan room={room} />
          <Dice room={room} dice={view?.dice ?? []} gm />
        </Card>
        <Claiming room={room} />
        {view?.radio === undefined ? null : (
          <Fold title={say('import.title')}>
            <DiceList room={room} />
          </Fold>
        )}
        <Card title={say('phones.title')} id="phones">
          <Phones table={room.door.table} />
        </Card>
        <Fold title={say('overlay.title')} open={Object.keys(room.orders.value).length > 0}>
          <Overlays room={room} />
        </Fold>
        <Fold title={say('seats.posts')}>
          <Posts room={room} />
        </Fold>
        <Fold title={say('game.title')}>
          <NewGame room={room} />
        </Fold>
      </div>
    </>
  );
}
