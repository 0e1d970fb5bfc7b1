import type { ClientKind, StormTool } from '../ledger/attempt.ts'

/** Weights: the number of calls of each tool out of ten. */
const plain = repeat({ echo: 3, append: 5, slow: 2 })
/** For clients that answer asks. */
const asked = repeat({ echo: 3, append: 4, slow: 2, ask: 1 })
/** For clients that can cancel, too. */
const all = [...asked, 'abort'] as const

/** The calls of clients of each kind, each repeated by its weight. */
export const mixes: Readonly<Record<ClientKind, readonly StormTool[]>> = {
  'sdk v1': all,
  'sdk v2': all,
  bus: all,
  'json-rpc 3.0': plain,
  streaming: repeat({ stream: 6, abort: 3, slow: 1 }),
  websocket: asked,
  queued: asked,
  job: plain,
  task: plain,
}

function repeat(weights: Readonly<Partial<Record<StormTool, number>>>): readonly StormTool[] {
  return Object.entries(weights).flatMap(([tool, times]) => Array.from({ length: times }, () => tool as StormTool))
}
