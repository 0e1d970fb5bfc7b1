import type { Closer } from '@junctor/contracts'
import type { Msg, NatsConnection } from '@nats-io/transport-node'

/** What is told of a service to whoever looks for services on NATS (`nats micro ls`). All of it is public. */
export interface DiscoverableService {
  /** `^[A-Za-z0-9_-]+$`. Instances of one service share it. */
  readonly name: string
  /** Of this instance, in the same characters. */
  readonly id: string
  /** Shown as it is when it is a semantic version, which the protocol wants, else as `0.0.0`. */
  readonly version: string
  readonly description: string
  readonly metadata: Readonly<Record<string, string>>
  /** Where its requests go. Whoever may send there is another matter. */
  readonly subject: string
  readonly queue: string
  /** Since it was started. */
  stats(): ServiceStats
}

export interface ServiceStats {
  readonly requests: number
  readonly errors: number
  /** Of all requests together, in milliseconds. */
  readonly ms: number
}

const semanticVersion = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/

/**
 * Answers PING, INFO and STATS of the services protocol of NATS (ADR-32) until it is closed. Its requests are not touched:
 * it is a sign at the door, and where it is not permitted there is none.
 */
export function discoverService(connection: NatsConnection, service: DiscoverableService): Closer {
  const { name, id, description, metadata, subject, queue } = service
  const version = semanticVersion.test(service.version) ? service.version : '0.0.0'
  const started = new Date().toISOString()
  const about = { name, id, version, metadata }
  const endpoint = { name: 'calls', subject, queue_group: queue }
  const answers: Readonly<Record<string, () => object>> = {
    PING: () => ({ type: 'io.nats.micro.v1.ping_response', ...about }),
    INFO: () => ({ type: 'io.nats.micro.v1.info_response', ...about, description, endpoints: [endpoint] }),
    STATS() {
      const { requests, errors, ms } = service.stats()
      const times = {
        processing_time: Math.round(ms * 1e6),
        average_processing_time: requests === 0 ? 0 : Math.round((ms * 1e6) / requests),
      }
      const stats = { ...endpoint, num_requests: requests, num_errors: errors, last_error: '', ...times }
      return { type: 'io.nats.micro.v1.stats_response', ...about, started, endpoints: [stats] }
    },
  }
  const subscriptions = Object.entries(answers).flatMap(([verb, answer]) => {
    const callback = (error: Error | null, message: Msg): void => {
      if (error === null) message.respond(JSON.stringify(answer()))
    }
    const asked = [`$SRV.${verb}`, `$SRV.${verb}.${name}`, `$SRV.${verb}.${name}.${id}`]
    return asked.map((where) => connection.subscribe(where, { callback }))
  })
  return {
    async close() {
      for (const subscription of subscriptions) subscription.unsubscribe()
    },
  }
}
