import { silentLog, emitNothing, openCallerToken } from '@junctor/contracts'
import { createCounter } from '../plugin-counter.ts'
import { defaultOAuthPaths } from '../gateway-site.ts'
import type { PluginContext } from '../plugin.ts'
import { createMemoryStore } from './memory-store.ts'
import { createTestSeal } from './test-seal.ts'

/** A plugin context for tests: a silent log, stores in memory, and a process guard that does nothing. */
export function createTestPluginContext(): PluginContext {
  const seal = createTestSeal()
  return {
    name: 'test',
    log: silentLog,
    emit: emitNothing,
    folder: process.cwd(),
    site: { publicUrl: undefined, oauthPaths: defaultOAuthPaths },
    servePages: () => undefined,
    issueTokens: () => undefined,
    showAccounts: () => async () => 'https://gw.example.com/connections/-/test',
    processes: { child: () => ({ environment: {}, started: () => undefined, ended: () => undefined }) },
    counter: (name) => createCounter('test', name, emitNothing),
    store: (_name, ttlMs) => createMemoryStore(ttlMs),
    seal,
    openCallerToken: (owner, sealed) => openCallerToken(seal, owner, sealed),
  }
}
