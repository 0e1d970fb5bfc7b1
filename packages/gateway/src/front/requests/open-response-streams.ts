import type { Deadlines } from '../../shared/deadlines.ts'
import { ResponseStream } from './response-stream.ts'

/**
 * The response streams of requests that wait for their answer. Requests that are answered immediately are not among
 * them.
 */
export function* openResponseStreams(deadlines: Pick<Deadlines, 'items'>): Generator<ResponseStream> {
  for (const item of deadlines.items()) if (item instanceof ResponseStream) yield item
}
