import { createTestPluginContext } from '@junctor/plugin-sdk/testing'
import { defaultOAuthPaths, type PluginContext } from '@junctor/plugin-sdk'
import { startHttpServer } from '@junctor/testkit/http'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { config } from '../config.ts'
import { createAuthServer } from '../create-auth-server.ts'

const { authServer } = z.parse(config, { authServer: {} })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
})

/** The storage of a cluster, and how its nodes start. Each has an own id of its key in `keys`. */
function cluster() {
  const context = createTestPluginContext()
  const stores = new Map<string, ReturnType<PluginContext['store']>>()
  const store = (name: string, ttlMs: number) => {
    const known = stores.get(name) ?? context.store(name, ttlMs)
    stores.set(name, known)
    return known
  }
  return {
    loseKeys: async () => stores.get('keys')?.delete('keys'),
    start: async () => {
      const site = { publicUrl: 'http://127.0.0.1:3000', oauthPaths: defaultOAuthPaths }
      const node = await createAuthServer(authServer, { ...context, site, store: store as PluginContext['store'] })
      const front = await startHttpServer((request, response) => void node.pages.handle(request, response, 'client'))
      onTestFinished(async () => void (await Promise.all([node.close(), front.close()])))
      return async (): Promise<unknown> => (await fetch(`${front.origin}/oauth/keys`)).json()
    },
  }
}

const round = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(10_000))

test('storage that has lost its data gets the keys back, so that nodes that start later have the same', async () => {
  const { loseKeys, start } = cluster()
  const keys = await start()
  await loseKeys()
  await round()
  const later = await start()
  expect(await later()).toEqual(await keys())
})

test('when a node that has started since was faster, all use its keys', async () => {
  const { loseKeys, start } = cluster()
  const keys = await start()
  const before = await keys()
  await loseKeys()
  const later = await start()
  await round()
  expect(await keys()).toEqual(await later())
  expect(await keys()).not.toEqual(before)
})
