import type { Closer } from '@junctor/contracts'
import type { Msg, NatsConnection } from '@nats-io/transport-node'

/** The data of a service for service discovery on NATS (`nats micro ls`). All of it is public. */
export interface DiscoverableService {
  /** `^[A-Za-z0-9_-]+$`. All instances of one service share it. */
  readonly name: string
  /** The id of this instance, in the same characters. */
  readonly id: string
  /** Shown unchanged if it is a semantic version, which the protocol requires; else as `0.0.0`. */
  readonly version: string
  readonly description: string
  readonly metadata: Readonly<Record<string, string>>
  /** The subject of its requests. Permissions to send there are defined elsewhere. */
  readonly subject: string
  readonly queue: string
  /** Counters since the service was started. */
  stats(): ServiceStats
}

/** What a service reports to `nats micro stats`. */
export interface ServiceStats {
  readonly requests: number
  readonly errors: number
  /** The total time of all requests, in milliseconds. */
  readonly ms: number
}

const semanticVersion = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/

/**
 * Answers PING, INFO and STATS of the NATS services protocol (ADR-32) until it is closed. The requests of the service
 * are not affected. Without the NATS permissions for this, the service is just not visible.
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
