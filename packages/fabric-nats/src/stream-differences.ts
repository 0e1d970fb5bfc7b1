import { isDeepStrictEqual } from 'node:util'
import type { StreamConfig } from '@nats-io/jetstream'

/** What a stream is to be like, in the words of the server. */
export type WantedStream = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'num_replicas'>

/** What is otherwise in a stream that is there than it is to be, in words for whoever runs the servers. */
export function streamDifferences(wanted: WantedStream, found: Partial<StreamConfig>): readonly string[] {
  const words = Object.keys(wanted) as (keyof WantedStream)[]
  return words
    .filter((word) => !isDeepStrictEqual(wanted[word], found[word]))
    .map((word) => `${word}: expected ${JSON.stringify(wanted[word])}, found ${JSON.stringify(found[word])}`)
}

/** Whether a stream loses messages earlier, for their age, than another. An age of 0 is none. */
export function keepsLessLong(stream: Partial<StreamConfig>, other: Pick<StreamConfig, 'max_age'>): boolean {
  const { max_age: age = 0 } = stream
  return age !== 0 && (other.max_age === 0 || age < other.max_age)
}
