import { type ClientKind, clientKinds } from '../ledger/attempt.ts'
import { createHttp3Client } from './http-3-client.ts'
import { createJobClient } from './job-client.ts'
import { createOfficialClient } from './official-client.ts'
import { openBus } from './open-bus.ts'
import { openV1 } from './open-v1.ts'
import { openV2 } from './open-v2.ts'
import { createQueuedClient } from './queued-client.ts'
import type { ClientOptions, StormClient } from './storm-client.ts'
import { createStreamingClient } from './streaming-client.ts'
import { createTaskClient } from './task-client.ts'
import { createWebSocketClient } from './websocket-client.ts'

const makers: Readonly<Record<ClientKind, (options: ClientOptions) => StormClient>> = {
  'sdk v1': (options) => createOfficialClient('sdk v1', options, openV1),
  'sdk v2': (options) => createOfficialClient('sdk v2', options, openV2),
  bus: (options) => createOfficialClient('bus', options, openBus),
  'json-rpc 3.0': createHttp3Client,
  streaming: createStreamingClient,
  websocket: createWebSocketClient,
  queued: createQueuedClient,
  job: createJobClient,
  task: createTaskClient,
}

/** Creates one client for each of the options, of all kinds in turn. */
export function createClients(options: readonly ClientOptions[], only?: ClientKind): readonly StormClient[] {
  const chosen = clientKinds.filter((kind) => only === undefined || kind === only)
  return options.flatMap((each, index) => {
    const kind = chosen[index % chosen.length]
    return kind === undefined ? [] : makers[kind](each)
  })
}
