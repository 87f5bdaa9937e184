const QUESTION = 'tiro-overlay there?';
const READY = 'tiro-overlay ready';
const LEAVING = 'tiro-overlay leaving';

/**
 * Tells the local file that frames an overlay (`tiro-overlay.html`) that it is there: an error page of the browser would
 * say nothing. What is said holds no data, so it may be said to any page around.
 * @returns ends it
 */
export function answerFrame(): () => void {
  if (window.parent === window) return () => {};
  const say = (word: string): void => window.parent.postMessage(word, '*');
  const asked = (event: MessageEvent): void => {
    if (event.source === window.parent && event.data === QUESTION) say(READY);
  };
  const leaves = (): void => say(LEAVING);
  addEventListener('message', asked);
  addEventListener('pagehide', leaves);
  say(READY);
  return () => {
    removeEventListener('message', asked);
    removeEventListener('pagehide', leaves);
  };
}
