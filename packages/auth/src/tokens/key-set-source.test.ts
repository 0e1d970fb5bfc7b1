import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { json, keysPath, metadataPath, startTestIssuer, type TestIssuer, text } from '../../test/support/test-issuer.ts'
import { createKeySetSource, keySetNamedBy, metadataUrls } from './key-set-source.ts'

const keys = [{ kty: 'EC', kid: 'one' }]
let server: TestIssuer
beforeEach(async () => {
  server = await startTestIssuer()
  server.keys = keys
})
afterEach(() => server.close())

const readTimeout = (): AbortSignal => AbortSignal.timeout(10_000)

test.each([
  ['https://id.example.com', ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']],
  ['https://id.example.com/', ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']],
  [
    'https://id.example.com/realms/one',
    [
      '/.well-known/oauth-authorization-server/realms/one',
      '/.well-known/openid-configuration/realms/one',
      '/realms/one/.well-known/openid-configuration',
    ],
  ],
])('the metadata of %s', (issuer, paths) => {
  expect(metadataUrls(issuer).map(String)).toEqual(paths.map((path) => `https://id.example.com${path}`))
})

test('the metadata of a remote issuer cannot name a key set on this machine', () => {
  const issuer = 'https://id.example.com'
  const place = new URL(`${issuer}/.well-known/openid-configuration`)
  const named = (uri: string): URL => keySetNamedBy({ issuer, jwks_uri: uri }, issuer, place)
  expect(named('https://keys.example.com/set').href).toBe('https://keys.example.com/set')
  expect(() => named('http://127.0.0.1:9200/_search')).toThrow(/expected jwks_uri .* to be an https URL/)
})

describe('the keys of an issuer', () => {
  test('are read from the URL in its metadata, which is read once', async () => {
    const source = createKeySetSource({ issuer: server.issuer })
    expect(await source.read(readTimeout())).toEqual({ keys })
    expect(await source.read(readTimeout())).toEqual({ keys })
    expect(server.asked).toEqual([metadataPath, keysPath, keysPath])
  })

  test('are located again when they have moved', async () => {
    const source = createKeySetSource({ issuer: server.issuer })
    await source.read(readTimeout())
    server.answers.set(keysPath, text('', 404))
    server.answers.set('/moved', json({ keys }))
    server.answers.set(metadataPath, json({ issuer: server.issuer, jwks_uri: `${server.issuer}/moved` }))
    await expect(source.read(readTimeout())).rejects.toThrow('got 404')
    expect(await source.read(readTimeout())).toEqual({ keys })
  })

  test('are located by OpenID Connect metadata when there is no other', async () => {
    const issuer = `${server.issuer}/realms/one`
    const path = '/realms/one/.well-known/openid-configuration'
    server.answers.set(path, json({ issuer, jwks_uri: `${server.issuer}${keysPath}` }))
    expect(await createKeySetSource({ issuer }).read(readTimeout())).toEqual({ keys })
    expect(server.asked).toEqual([...metadataUrls(issuer).map(({ pathname }) => pathname), keysPath])
  })

  test('are read from the configured URL, without reading metadata', async () => {
    const jwksUri = `${server.issuer}${keysPath}`
    const source = createKeySetSource({ issuer: 'https://id.example.com', jwksUri })
    expect(await source.read(readTimeout())).toEqual({ keys })
    expect(server.asked).toEqual([keysPath])
  })

  test.each([
    ["another issuer's", () => ({ issuer: 'https://evil.example.com', jwks_uri: `${server.issuer}${keysPath}` })],
    ['with a slash too many', () => ({ issuer: `${server.issuer}/`, jwks_uri: `${server.issuer}${keysPath}` })],
    ['without an issuer', () => ({ jwks_uri: `${server.issuer}${keysPath}` })],
    ['without keys', () => ({ issuer: server.issuer })],
    ['keys in a file', () => ({ issuer: server.issuer, jwks_uri: 'file:///etc/passwd' })],
    ['keys on the open network', () => ({ issuer: server.issuer, jwks_uri: 'http://192.0.2.1/keys' })],
    ['keys with credentials', () => ({ issuer: server.issuer, jwks_uri: 'https://a:b@id.example.com/keys' })],
    ['keys that are no URL', () => ({ issuer: server.issuer, jwks_uri: ['https://id.example.com'] })],
    ['nothing', () => null],
  ])('metadata is refused: %s', async (_name, metadata) => {
    server.answers.set(metadataPath, json(metadata()))
    await expect(createKeySetSource({ issuer: server.issuer }).read(readTimeout())).rejects.toThrow(
      `the metadata of ${server.issuer} does not tell where its keys are`,
    )
    expect(server.asked).not.toContain(keysPath)
  })

  test('metadata that cannot be read is an error that tells why', async () => {
    await server.close()
    await expect(createKeySetSource({ issuer: server.issuer }).read(readTimeout())).rejects.toMatchObject({
      cause: { message: expect.stringContaining('ECONNREFUSED') },
    })
    server = await startTestIssuer()
  })

  test.each([{}, { keys: [] }, { keys: {} }, [], null, 'keys'])('a key set that is %o is refused', async (body) => {
    server.answers.set(keysPath, json(body))
    await expect(createKeySetSource({ issuer: server.issuer }).read(readTimeout())).rejects.toThrow(
      /expected a key set with keys/,
    )
  })
})
