import { describe, expect, test, vi } from 'vitest'
import { createAddPlace, latest, type RegistryEntry } from './add-place.ts'
import { npmServer, registryAnswer } from './registry-fixtures.ts'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

const place = createAddPlace()

describe('a registry that does not work', () => {
  const page = '<html>\u001b[31mhello</html>'
  const rows: readonly (readonly [string, RegistryEntry, string])[] = [
    ['500', (response) => response.writeHead(500).end('boom'), 'answered with status 500'],
    [
      'HTML',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
      'answered with status 200 and text/html',
    ],
    [
      'no JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(page),
      'it is not JSON: "<html>\\u001b[31mhello</html>"',
    ],
    [
      'JSON that is no object',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('null'),
      'it has no member "server"',
    ],
    [
      'another server',
      registryAnswer(npmServer({}, { name: 'io.github.evil/weather' })),
      'it is about "io.github.evil/weather"',
    ],
    [
      'a huge body',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const more = (): void => {
          while (!response.destroyed && response.write(' '.repeat(65_536)));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      },
      'the body has more than 1048576 bytes',
    ],
    [
      'an end in the middle',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write('{', () => response.destroy())
      },
      'cannot be asked',
    ],
    [
      'a redirect into the network',
      (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      'cannot be asked: 10.0.0.1 has a private address',
    ],
    [
      'a document that cannot be used',
      registryAnswer(npmServer({ identifier: '--evil' })),
      '"--evil" is not a name of npm',
    ],
    [
      'a document without packages',
      registryAnswer(npmServer({}, { packages: null })),
      'it has neither remotes nor packages',
    ],
  ]
  test.each(rows)('%s', async (_name, answer, message) => {
    place.answers.set(latest.weather, answer)
    const junctor = place.add(['io.github.acme/weather', '--yes'])
    expect(await junctor.ended()).toBe(1)
    expect(junctor.stderr()).toContain(message)
    expect(junctor.stderr()).not.toContain('\u001b')
    expect(junctor.stdout()).toBe('')
    place.untouched()
  })

  test('404: similar names are shown', async () => {
    const names = ['io.github.acme/weather', 'io.github.acme/weather', 'io.evil/\u001b[31m']
    const servers = names.map((name) => registryAnswer(npmServer({}, { name })))
    place.answers.set('/v0.1/servers?search=wether&limit=30&version=latest', { servers, metadata: { count: 3 } })
    for (const word of ['wether', 'io.github.other/wether']) {
      const junctor = place.add([word, '--yes'])
      expect(await junctor.ended()).toBe(1)
      expect(junctor.stderr()).toContain('\n  Similar names: io.github.acme/weather, io.evil/\\u001b[31m\n')
    }
    const other = place.add(['evil/../../x', '--yes'])
    expect(await other.ended()).toBe(1)
    expect(other.stderr()).toContain('"evil/../../x" is not a name of a server')
    place.untouched()
  })

  test('nobody listens', async () => {
    const junctor = place.add(['io.github.acme/weather', '--yes', '--registry', 'http://127.0.0.1:9/'])
    expect(await junctor.ended()).toBe(1)
    expect(junctor.stderr()).toContain('http://127.0.0.1:9 cannot be asked: no connection')
    place.untouched()
  })

  test('no answer in 15 seconds', async () => {
    place.answers.set(latest.weather, () => {})
    const junctor = place.add(['io.github.acme/weather', '--yes'])
    expect(await junctor.ended()).toBe(1)
    expect(junctor.stderr()).toMatch(/no complete answer within 1[45]\d{3} ms/)
    place.untouched()
  })
})
