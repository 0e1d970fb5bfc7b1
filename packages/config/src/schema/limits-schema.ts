import * as z from 'zod'
import type { LimitsConfig } from '../config.ts'
import { byteSize, positiveDuration, wholeNumber } from './values.ts'

const size = byteSize.optional().meta({ example: '4MiB' })
const count = wholeNumber(1).optional().meta({ example: 100 })
const time = positiveDuration.optional().meta({ example: '30s' })

/** Words of the file that are durations get `Ms` at their end in the configuration. */
const times = {
  headersTimeout: time,
  requestTimeout: time,
  keepAliveTimeout: time,
  stalled: time,
  streamKeepAlive: time,
  grace: time,
  sessionIdle: time,
  streamKeep: time,
  startWait: time,
  listChanged: time,
}

const others = {
  body: size,
  headers: size,
  streamBuffer: size,
  depth: count,
  batch: count,
  connections: count,
  sessions: count,
  inFlight: count,
  streams: count,
  streamEntries: count,
  streamCharacters: count,
  pageItems: count,
  instructions: count,
}

/** What bounds this node. Each word is that of the part which keeps the bound, and is documented there. */
export const limitsSchema: z.ZodType<LimitsConfig> = z
  .strictObject({ ...times, ...others })
  .transform((limits) =>
    Object.fromEntries(Object.entries(limits).map(([word, value]) => [word in times ? `${word}Ms` : word, value])),
  )
