import { say } from '../language.js';
import { Banners, Card, Frame, tableLinks } from '../parts/frame.js';
import { Sign } from '../parts/sign.js';
import { useRoom } from '../room.js';

/** Who are you? One large button per player, each to their board. */
export function WhoPage({ table }: { table: string }) {
  const room = useRoom(table, 'spectator');
  const view = room.view.value;
  return (
    <Frame title={say('board.who')} subtitle={view?.name ?? table} links={tableLinks(table, 'board')}>
      <Banners room={room} />
      <Card title={say('home.boards')}>
        <p class="quiet">{say('board.whoHint')}</p>
        <ul class="who">
          {(view?.seats ?? []).map((seat, i) => (
            <li key={seat.id}>
              <a class="button button-big" href={`/board/${table}/${seat.id}`}>
                <Sign index={i} name={seat.name} size={40} /> <span>{seat.name}</span>
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </Frame>
  );
}
