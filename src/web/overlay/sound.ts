/** Seconds of the one sound there is. */
const KNOCK_S = 0.09;

/** A knock of wood when a roll arrives, where the address asks for it. */
export interface Sound {
  play(): void;
  close(): void;
}

/**
 * Opens the sound of an overlay. Of several copies of it in one OBS (studio mode keeps two) only the first is heard. A
 * browser that lets no page make a sound stays silent: nothing else depends on it (F158).
 */
export function openSound(table: string): Sound {
  let mine = !('locks' in navigator);
  let audio: AudioContext | null = null;
  const stop = new AbortController();
  let release: () => void = () => {};
  if (!mine) {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const lock = navigator.locks.request(`tiro-sound-${table}`, { signal: stop.signal }, () => {
      mine = true;
      return held;
    });
    lock.catch(() => {});
  }
  return {
    play: () => {
      if (!mine) return;
      try {
        audio ??= new AudioContext();
        if (audio.state === 'running') knock(audio);
        else
          audio
            .resume()
            .then(() => audio !== null && knock(audio))
            .catch(() => {});
      } catch {
        // No sound here.
      }
    },
    close: () => {
      stop.abort();
      release();
      audio?.close().catch(() => {});
    },
  };
}

function knock(audio: AudioContext): void {
  const now = audio.currentTime;
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(420, now);
  tone.frequency.exponentialRampToValueAtTime(140, now + KNOCK_S);
  gain.gain.setValueAtTime(0.25, now);
  gain.gain.exponentialRampToValueAtTime(0.001, now + KNOCK_S);
  tone.connect(gain).connect(audio.destination);
  tone.start(now);
  tone.stop(now + KNOCK_S);
}
