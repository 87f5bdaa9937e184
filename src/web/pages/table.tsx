import { playsDicebound } from '../dicebound/game.js';
import { Returned } from '../dicebound/returned.js';
import { DiceboundTable } from '../dicebound/table.js';
import { say } from '../language.js';
import { playsMagic } from '../magic/game.js';
import { MagicTable } from '../magic/table.js';
import { AwaitedNow } from '../parts/awaited.js';
import { DadoteckTable } from '../parts/dadoteck.js';
import { Banners, Card, Frame, Standing, tableLinks } from '../parts/frame.js';
import { Notices } from '../parts/notices.js';
import { Rolls } from '../parts/roll.js';
import { Seats } from '../parts/seats.js';
import { useRoom } from '../room.js';

/** The table for everybody: who is awaited, what was rolled, where everyone stands. */
export function TablePage({ table }: { table: string }) {
  const room = useRoom(table, 'spectator');
  const view = room.view.value;
  const turn = new Set(room.awaited.value.map((call) => call.seat ?? ''));
  return (
    <Frame
      title={view?.name ?? table}
      subtitle={view === null ? undefined : say('page.table')}
      links={tableLinks(table, 'table')}
      status={<Standing room={room} />}
    >
      <Banners room={room} />
      {view === null ? null : (
        <>
          <AwaitedNow room={room} />
          <div
            class={
              view.game.id === 'free' || view.game.id === 'external' ? 'table-grid table-grid-plain' : 'table-grid'
            }
          >
            {view.game.id === 'dadoteck' ? <DadoteckTable view={view} turn={turn} /> : null}
            {playsDicebound(view) ? <DiceboundTable room={room} /> : null}
            {playsMagic(view) ? <MagicTable room={room} view={view} hand={null} /> : null}
            <Returned room={room} />
            <Card title={say('rolls.title')} kind="card-rolls">
              <Rolls room={room} most={12} />
            </Card>
            {playsDicebound(view) ? null : (
              <Card title={say('seats.title')} kind="card-seats">
                <Seats room={room} />
              </Card>
            )}
            <Notices room={room} />
          </div>
        </>
      )}
    </Frame>
  );
}
