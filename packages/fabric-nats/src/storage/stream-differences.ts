import { isDeepStrictEqual } from 'node:util'
import type { StreamConfig } from '@nats-io/jetstream'

/** The wanted configuration of a stream, in the server's terms. */
export type WantedStream = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'num_replicas'>

/** The differences between the wanted and the found configuration, as texts for the operator of the servers. */
export function streamDifferences(wanted: WantedStream, found: Partial<StreamConfig>): readonly string[] {
  const words = Object.keys(wanted) as (keyof WantedStream)[]
  return words
    .filter((word) => !isDeepStrictEqual(wanted[word], found[word]))
    .map((word) => `${word}: expected ${JSON.stringify(wanted[word])}, found ${JSON.stringify(found[word])}`)
}

/** Whether a stream removes messages because of their age earlier than another. An age of 0 means no limit. */
export function keepsLessLong(stream: Partial<StreamConfig>, other: Pick<StreamConfig, 'max_age'>): boolean {
  const { max_age: age = 0 } = stream
  return age !== 0 && (other.max_age === 0 || age < other.max_age)
}
