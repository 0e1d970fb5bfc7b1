import { startHttpServer } from '@junctor/testkit/http'
import { expect, onTestFinished, test } from 'vitest'
import { discover } from './discover.ts'
import { createOAuthHttp } from './oauth-http.ts'

const challenge = { resourceMetadata: undefined, scope: undefined, error: undefined }

/** Discovers a server whose site has these documents, and a page at every other path. */
async function discovered(
  documents: (origin: string) => Readonly<Record<string, object>>,
  status = 200,
  configured?: string,
) {
  const { origin, close } = await startHttpServer((request, response) => {
    const document = documents(origin)[request.url ?? '']
    const isPage = document === undefined
    response.writeHead(isPage ? status : 200, { 'content-type': isPage ? 'text/html' : 'application/json' })
    response.end(isPage ? '<!doctype html><title>Welcome</title>' : JSON.stringify(document))
  })
  const serverUrl = `${origin}/mcp`
  const http = createOAuthHttp([serverUrl])
  onTestFinished(async () => {
    await http.close()
    await close()
  })
  return { origin, found: await discover({ serverUrl, issuer: configured && origin + configured, challenge }, http) }
}

test('a page is not a document: the next place is looked at', async () => {
  const { origin, found } = await discovered((at) => ({
    '/.well-known/oauth-protected-resource': { resource: at, authorization_servers: [`${at}/id`] },
    '/id/.well-known/openid-configuration': { issuer: `${at}/id`, token_endpoint: `${at}/id/token` },
  }))
  expect(found).toMatchObject({
    resource: origin,
    issuer: `${origin}/id`,
    authorizationServer: { token_endpoint: `${origin}/id/token` },
  })
})

test('a site that has only pages is one of 2025-03-26, which has no documents', async () => {
  const { origin, found } = await discovered(() => ({}))
  expect(found).toMatchObject({ issuer: origin, authorizationServer: { token_endpoint: `${origin}/token` } })
})

test('a document that is not one of the right form is not passed over', async () => {
  await expect(discovered(() => ({ '/.well-known/oauth-protected-resource/mcp': [] }))).rejects.toThrow('JSON object')
})

test('a server that fails may have a document: nothing is guessed', async () => {
  await expect(discovered(() => ({}), 404)).resolves.toBeDefined()
  const problem = 'The metadata of the server cannot be read'
  await expect(discovered(() => ({}), 503)).rejects.toMatchObject({ code: 'BACKEND_UNREACHABLE', problem })
})

test.each([[{}], [{ authorization_servers: ['https://elsewhere.example'] }]])(
  'a server need not name the authorization server that is configured: %j',
  async (named) => {
    const { origin, found } = await discovered(
      (at) => ({
        '/.well-known/oauth-protected-resource': { resource: at, ...named },
        '/id/.well-known/openid-configuration': { issuer: `${at}/id`, token_endpoint: `${at}/id/token` },
      }),
      200,
      '/id',
    )
    expect(found).toMatchObject({ resource: origin, issuer: `${origin}/id` })
  },
)
