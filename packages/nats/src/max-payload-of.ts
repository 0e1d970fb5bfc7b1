import type { NatsConnection } from '@nats-io/transport-node'

/** The most bytes of a message that the server of a connection takes. Of a closed connection it is NATS's default, 1 MiB. */
export function maxPayloadOf({ info }: Pick<NatsConnection, 'info'>): number {
  return info?.max_payload ?? 1_048_576
}
