import { type Backend, silentLog, emitNothing } from '@junctor/plugin-sdk/link'
import {
  type BackendUnderTest,
  describeBackend,
  eventually,
  type OfferedTools,
  programFile,
  untilNoDescendants,
} from '@junctor/testkit'
import { createGuard } from '@junctor/transport-stdio/back'
import { afterAll, expect } from 'vitest'
import { backendFromMcpServer, createMcpBackend } from '../src/index.ts'
import { type HttpHost, hostV1, hostV1Sse, hostV1WebSocket, hostV2 } from './servers/http-host.ts'
import { createV1Server } from './servers/v1-server.ts'
import { createV2Server } from './servers/v2-server.ts'

const tools: OfferedTools = { echo: 'echo', steps: 'steps', wait: 'wait', ask: 'ask', log: 'log' }

const guard = createGuard(silentLog)
afterAll(() => guard.close())

function ofChild(server: string): () => Promise<BackendUnderTest> {
  return async () => {
    const program = programFile(new URL('./servers/stdio-main.ts', import.meta.url))
    const config = { command: process.execPath, args: [program, server], env: {} }
    const backend = await createMcpBackend({
      name: 'child',
      config,
      folder: '/',
      log: silentLog,
      emit: emitNothing,
      guard,
    })
    // The guard's own process runs until the end.
    return { backend, dispose: () => untilNoDescendants({ except: 'junctor-guard' }) }
  }
}

function ofHost(start: () => Promise<HttpHost>): () => Promise<BackendUnderTest> {
  return async () => {
    const host = await start()
    const backend: Backend = await createMcpBackend({
      name: 'server',
      config: { url: host.url, headers: {} },
      folder: '/',
      log: silentLog,
      emit: emitNothing,
      guard,
    })
    return {
      backend,
      async dispose() {
        await eventually(() => expect(host.sockets()).toBe(0))
        await host.close()
      },
    }
  }
}

describeBackend('a server of SDK version 1 on stdio', tools, ofChild('v1'))
describeBackend('a server of SDK version 2 on stdio', tools, ofChild('v2'))
describeBackend('a server without an SDK on stdio', { ...tools, mirror: 'mirror' }, ofChild('raw'))
describeBackend('a server of SDK version 1 over Streamable HTTP', tools, ofHost(hostV1))
describeBackend('a server of SDK version 2 over Streamable HTTP', tools, ofHost(hostV2))
describeBackend('a server of SDK version 1 over HTTP+SSE', tools, ofHost(hostV1Sse))
describeBackend('a server of SDK version 1 over WebSockets', tools, ofHost(hostV1WebSocket))
describeBackend(
  'a server of SDK version 1 over Streamable HTTP with JSON answers',
  { echo: 'echo', wait: 'wait' },
  ofHost(() => hostV1(true)),
)
describeBackend('a server of SDK version 1 in this process', tools, () => ({
  backend: backendFromMcpServer(createV1Server, { name: 'here' }),
}))
describeBackend('a server of SDK version 2 in this process', tools, () => ({
  backend: backendFromMcpServer(createV2Server, { name: 'here' }),
}))
