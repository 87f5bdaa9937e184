/** One message for MQTT. `retain`: late comers get it at once; an empty payload clears it. */
export interface MqttMessage {
  readonly topic: string;
  readonly payload: string;
  readonly qos: 0 | 1;
  readonly retain: boolean;
}

/** A command that came in on `tiro/T/command`, as bytes nobody has judged. */
export interface MqttCommand {
  readonly table: string;
  readonly payload: Buffer;
  /** Token of the connection, where it gave one. */
  readonly token: string | undefined;
}

/** Where MQTT messages go: the embedded broker, or an external one. Keeps their order. */
export interface MqttOutlet {
  readonly url: string;
  publish(message: MqttMessage): void;
  /** Resolves when all that was published has been handed over. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A part of a topic. Ids pass as they are; anything else cannot break the topic (F010). */
export const topicPart = (text: string): string => encodeURIComponent(text).slice(0, 200) || '%00';
