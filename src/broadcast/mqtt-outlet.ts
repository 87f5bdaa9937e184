/** One message for MQTT. `retain`: late comers get it at once; an empty payload clears it. */
export interface MqttMessage {
  readonly topic: string;
  readonly payload: string;
  readonly qos: 0 | 1;
  readonly retain: boolean;
}

/** Bytes of a payload; what is larger is told without its body, so that no broker's limit ends the connection. */
export const MAX_PAYLOAD_BYTES = 256 * 1024;

/** A command that came in on `tiro/T/command`, as bytes nobody has judged. */
export interface MqttCommand {
  readonly table: string;
  readonly payload: Buffer;
  /** Token of the connection, where it gave one. */
  readonly token: string | undefined;
}

/**
 * What became of a message: the broker has it; it can never take it; it does not take it now; or the connection ended
 * before it said so, and nobody knows.
 */
export type Delivery = 'taken' | 'impossible' | 'refused' | 'lost';

/** The part of an outlet whose connection may be lost: what must not be lost with it is delivered and answered. */
export interface MqttRemote {
  /** False while there is no connection: what is published then is dropped. */
  readonly connected: boolean;
  /** Publishes with QoS 1; the answer is the broker's, or `lost` at once while there is no connection. */
  deliver(message: MqttMessage): Promise<Delivery>;
  /** Called on every connection, `again` if one was lost before: whatever is retained must be told again. */
  onUp(listener: (again: boolean) => void): void;
}

/** Where a table's messages go. Keeps their order. */
export interface MqttOutlet {
  /** Without a connection it is dropped: retained values are told again on the next one. */
  publish(message: MqttMessage): void;
  /** Resolves when all that was published has been handed over, or there is nobody to hand it to. */
  flush(): Promise<void>;
  /** Absent where the broker is a part of this process. */
  readonly remote?: MqttRemote;
}

/** A broker: the embedded one, or an external one. */
export interface MqttHouse {
  readonly url: string;
  /** A table's own way to the broker. */
  open(table: string): MqttOutlet;
  close(): Promise<void>;
}

/** A part of a topic. Ids pass as they are; anything else cannot break the topic (F010). */
export const topicPart = (text: string): string => encodeURIComponent(text).slice(0, 200) || '%00';
