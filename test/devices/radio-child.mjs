// A radio process of paper: its arguments say what it does. It speaks as the real one does.
const [deed] = process.argv.slice(2);
const tell = (report) => process.send?.(report);
const census = { dropped: 0, malformed: 0, addresses: 0, peripherals: 0, listeners: 0, heapKb: 1 };

process.on('disconnect', () => process.exit(0));
process.on('message', (order) => {
  if (order.do === 'ping' && deed !== 'freeze')
    tell({ tell: 'beat', id: order.id, census: { ...census, heapKb: order.id } });
  if (order.do === 'pace' && deed !== 'obey') process.exit(7);
  if (order.do === 'pace') tell({ tell: 'scan', on: order.pace === 'full' });
  if (order.do === 'connect') tell({ tell: 'failed', die: order.die, link: order.link, why: 'asked to connect' });
});
tell({ tell: 'ready', driver: deed });
if (deed === 'rave') for (let n = 0; n < 50; n += 1) tell({ tell: 'notification', die: '../etc', link: n, n: -1 });
if (deed === 'trouble') tell({ tell: 'trouble', what: 'scan_refused', text: 'no' });
const number = Number(process.env.NOBLE_HCI_DEVICE_ID ?? 0);
tell({ tell: 'address', address: `00:00:00:00:00:0${number}` });
if (deed !== 'off') tell({ tell: 'adapter', state: 'poweredOn' });
