import { createTestPluginContext } from '@junctor/plugin-sdk/testing'
import { defaultOAuthPaths } from '@junctor/plugin-sdk'
import { startHttpServer } from '@junctor/testkit/http'
import { Provider } from 'oidc-provider'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { config } from '../config.ts'
import { guardedFetch } from '../provider/guarded-fetch.ts'
import { providerOptions } from '../provider/provider-options.ts'
import { loadServerKeys } from '../provider/server-keys.ts'
import { serverPaths } from '../provider/server-paths.ts'
import { createAdapters } from '../provider/store-adapter.ts'
import { createFormTokens } from './form-token.ts'
import type { InteractionParts } from './interaction-step.ts'
import { answerInteraction } from './interactions.ts'
import { sampleStores } from '../../test/sample-stores.ts'

const clientId = 'https://client.example.com/client.json'
const redirect = 'http://127.0.0.1:7777/callback'
const document = {
  client_id: clientId,
  client_name: 'A client',
  redirect_uris: [redirect],
  token_endpoint_auth_method: 'none',
}

/** Two nodes of a login server: the first has read the document of a client, which its site then answers with `status`. */
async function openNodes(status: number) {
  const site = await startHttpServer((_request, response) => {
    response.writeHead(state.status).end(JSON.stringify(document))
  })
  const state = { status: 200, node: 0 }
  const front = await startHttpServer((request, response) => nodes[state.node]?.(request, response))
  const documents = guardedFetch(['127.0.0.1'])
  onTestFinished(async () => void (await Promise.all([documents.close(), site.close(), front.close()])))
  const context = createTestPluginContext()
  const { authServer } = z.parse(config, { authServer: { users: {} } })
  const paths = serverPaths(front.origin, defaultOAuthPaths)
  const keys = await loadServerKeys(context.store('keys', 60_000))
  const adapter = createAdapters(sampleStores(context))
  const people = { find: async () => undefined }
  const openNode = (): Parameters<typeof startHttpServer>[0] => {
    const fetchDocument = () => documents.fetch(`${site.origin}/document`)
    const options = {
      config: authServer,
      paths,
      keys,
      people,
      adapter,
      fetch: fetchDocument,
    }
    const provider = new Provider(front.origin, providerOptions(options))
    const parts = {
      provider,
      people,
      paths,
      users: { isEmpty: false },
      upstreams: { names: [] },
      forms: createFormTokens(keys.cookies),
    } as unknown as InteractionParts
    const library = provider.callback()
    return (request, response) => {
      if (request.url?.startsWith(`${paths.interaction}/`) !== true) return library(request, response)
      return answerInteraction(parts, { request, response, client: '' })
    }
  }
  const nodes = [openNode(), openNode()]
  const begin = new URL(`${front.origin}${paths.authorize}`)
  begin.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    scope: 'mcp',
    resource: `${front.origin}/mcp`,
  }).toString()
  const begun = await fetch(begin, { redirect: 'manual' })
  const page = new URL(String(begun.headers.get('location')), front.origin)
  const cookie = begun.headers
    .getSetCookie()
    .map((set) => set.split(';', 1)[0])
    .join('; ')
  Object.assign(state, { status, node: 1 })
  return { state, begin, page, open: (url: URL) => fetch(url, { headers: { cookie }, redirect: 'manual' }) }
}

test('a person is told to try again when the document of a client cannot be read now, and can', async () => {
  const { state, begin, page, open } = await openNodes(502)
  const [failed, unbegun] = [await open(page), await open(begin)]
  for (const { status, headers } of [failed, unbegun]) {
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(headers.get('content-type')).toContain('text/html')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/)
  }
  const text = await failed.text()
  expect(text).toMatch(/cannot be read now[^]*Try again/)
  expect(text).toContain(`href="${page.pathname}"`)
  expect(await unbegun.text()).toContain('cannot be read now')
  state.status = 200
  const again = await open(page)
  expect([again.status, (await again.text()).includes('A client')]).toEqual([200, true])
})

test('a person is told when the document of a client is not there any more', async () => {
  const { page, open } = await openNodes(404)
  const failed = await open(page)
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([400, null])
  expect(await failed.text()).toContain('This does not work')
})
