import { afterEach, beforeEach } from 'vitest'
import { type ApiServer, json, startApiServer } from './api-server.ts'
import type { OpenedApi } from './open-api-client.ts'

/** The API of a test, and the backend of it that the test opens. */
export interface ApiUnderTest {
  /** New for each test. It answers `{"ok":true}` until the test replaces that. */
  readonly server: ApiServer
  /** Set by the test that opens one; closed after it. */
  opened: OpenedApi | undefined
}

/** Starts an API before each test of the file, and closes it, and what the test has opened, after the test. */
export function useApi(): ApiUnderTest {
  let server: ApiServer
  const api = {
    get server() {
      return server
    },
    opened: undefined as OpenedApi | undefined,
  }
  beforeEach(async () => {
    server = await startApiServer(json({ ok: true }))
  })
  afterEach(async () => {
    await api.opened?.close()
    api.opened = undefined
    await server.close()
  })
  return api
}
