import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { createAddPlace, latest } from './add-place.ts'
import { processTimeout, startJunctor } from './junctor-process.ts'
import { imageServer, npmServer, registryAnswer, remoteServer, withInputs } from './registry-fixtures.ts'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

const place = createAddPlace()

describe('a server of a registry', () => {
  test('is written, pinned and tried; the file is made as by init', async () => {
    place.answers.set(latest.weather, registryAnswer(npmServer(withInputs)))
    const words = ['io.github.acme/weather', '--yes', '--input', 'city=Oslo; rm -rf $HOME', '--input', 'WEATHER_KEY']
    const junctor = place.add(words, { WEATHER_KEY: 'my-secret-key' })
    expect(await junctor.ended()).toBe(0)
    const args = ['-y', '@acme/weather-mcp@1.2.0', 'serve', 'Oslo; rm -rf $HOME', '--units=metric', '--verbose']
    expect(place.written()).toEqual({
      backends: { weather: { command: 'npx', args, env: { WEATHER_KEY: '${env:WEATHER_KEY}', LOG_LEVEL: 'info' } } },
    })
    expect(place.text()).toMatch(/^# The configuration of Junctor\.\n/)
    expect(place.text()).toMatch(/ # io\.github\.acme\/weather 1\.2\.0, server\.json sha256:[a-f0-9]{64}\n/)
    expect(junctor.stderr()).toContain(
      '  run   npx -y @acme/weather-mcp@1.2.0 serve "Oslo; rm -rf $HOME" --units=metric --verbose\n',
    )
    expect(junctor.stderr()).toContain('  with  WEATHER_KEY=${env:WEATHER_KEY}\n')
    expect(junctor.stderr()).toContain('\n  --input PROXY=…  PROXY (such as http://proxy:3128) - A proxy\n')
    expect(junctor.stdout()).toMatch(/^up +weather {2}1 tool, .*weather 1\.2\.0/m)
    expect(junctor.stdout()).toContain('tools      forecast\n')
    expect(junctor.stdout()).toContain('al\\u001b[31merts')
    expect(junctor.stdout() + junctor.stderr()).not.toContain('\u001b')
    // The secret came to the program, and nothing else did.
    expect(place.started()).toEqual([{ argv: args, key: 'my-secret-key' }])
    const all = readdirSync(place.folder)
      .filter((name) => name !== 'started.ndjson')
      .map((name) => place.text(name))
      .join('')
    expect(all + junctor.stdout() + junctor.stderr()).not.toContain('my-secret-key')
    const pins = JSON.parse(place.text('junctor.servers.json')) as Record<
      string,
      { document: JsonObject; sha256: string }
    >
    expect(pins['weather']).toMatchObject({
      name: 'io.github.acme/weather',
      version: '1.2.0',
      source: place.registry.origin,
    })
    expect(pins['weather']?.document).toEqual(npmServer(withInputs))
    expect(place.text()).toContain(`sha256:${pins['weather']?.sha256}`)
  })

  test('is added to a file without a change of anything else, under a name that is free', async () => {
    const before =
      '# mine\nlisten: { http: { port: 4000 } }   # port\nbackends:\n  weather: { url: "http://127.0.0.1:9/" } # old\n\n# end\ntenants: { default: { backends: [weather] } }\n'
    const real = join(place.folder, 'real.yaml')
    writeFileSync(real, before, { mode: 0o600 })
    symlinkSync(real, join(place.folder, 'junctor.yaml'))
    place.answers.set(latest.weather, registryAnswer(npmServer()))
    const junctor = place.add(['io.github.acme/weather', '--yes'])
    expect(await junctor.ended()).toBe(0)
    const after = place.text()
    expect(after.replace(/ {2}# io\.github[^]*?\n\n/, '\n')).toBe(before)
    expect(parse(after)).toMatchObject({
      backends: { 'weather-2': { command: 'npx', args: ['-y', '@acme/weather-mcp@1.2.0'] } },
    })
    expect(junctor.stdout()).toContain('No tenant has it: add weather-2 to the "backends" of a tenant.\n')
    expect(lstatSync(join(place.folder, 'junctor.yaml')).isSymbolicLink()).toBe(true)
    expect(statSync(real).mode & 0o777).toBe(0o600)
    expect(readdirSync(place.folder).filter((name) => name.includes('.new'))).toEqual([])
  })

  test('in JSON too', async () => {
    const before = '{\n  // mine\n  "backends": {\n    "a": { "plugin": "@junctor/plugin-demo" } // a\n  }\n}\n'
    writeFileSync(join(place.folder, 'gateway.json'), before)
    place.answers.set(latest.weather, registryAnswer(npmServer()))
    expect(await place.add(['io.github.acme/weather', '--yes', '--name', 'w', '-c', 'gateway.json']).ended()).toBe(0)
    expect(place.text('gateway.json')).toBe(
      before
        .replace(
          ' // a\n',
          `, // a\n    "w": ${JSON.stringify({ command: 'npx', args: ['-y', '@acme/weather-mcp@1.2.0'] }, null, 2).replaceAll('\n', '\n    ')}\n`,
        )
        .replace('" }, //', '" }, //'),
    )
    expect(Object.keys(JSON.parse(place.text('gateway.servers.json')) as object)).toEqual(['w'])
  })

  test('a version is asked for by --version', async () => {
    place.answers.set('/v0.1/servers/io.github.acme%2Fweather/versions/1.2.0', registryAnswer(npmServer()))
    expect(await place.add(['io.github.acme/weather', '--version', '1.2.0', '--yes']).ended()).toBe(0)
    const other = place.add(['io.github.acme/weather', '--version', '../../latest', '--yes'])
    expect(await other.ended()).toBe(1)
    expect(other.stderr()).toContain('has no server io.github.acme/weather ../../latest')
    expect(place.registry.received.at(-2)?.path).toBe(
      '/v0.1/servers/io.github.acme%2Fweather/versions/..%2F..%2Flatest',
    )
  })

  test('that is deprecated is added with a warning; one that is deleted is not', async () => {
    place.answers.set(
      latest.weather,
      registryAnswer(npmServer(), { status: 'deprecated', statusMessage: 'use \u001b[31mother' }),
    )
    const old = place.add(['io.github.acme/weather', '--yes'])
    expect(await old.ended()).toBe(0)
    expect(old.stderr()).toContain('Warning: the server is deprecated: use \\u001b[31mother\n')
    place.answers.set(latest.weather, registryAnswer(npmServer(), { status: 'deleted', statusMessage: 'malware' }))
    const gone = place.add(['io.github.acme/weather', '--yes', '--name', 'b'])
    expect(await gone.ended()).toBe(1)
    expect(gone.stderr()).toContain('the server is deleted: malware')
  })

  test('another document of the same version is refused', async () => {
    place.answers.set(latest.weather, registryAnswer(npmServer()))
    expect(await place.add(['io.github.acme/weather', '--yes']).ended()).toBe(0)
    const before = place.text()
    place.answers.set(latest.weather, registryAnswer(npmServer({ identifier: '@evil/weather-mcp' })))
    const junctor = place.add(['io.github.acme/weather', '--yes'])
    expect(await junctor.ended()).toBe(1)
    expect(junctor.stderr()).toContain(
      'is not the one that the backend weather was added from, and a version never changes',
    )
    expect(place.text()).toBe(before)
  })

  test('a container gets secrets through the environment of docker', async () => {
    place.answers.set(latest.files, registryAnswer(imageServer))
    writeFileSync(join(place.folder, 'key'), 'from a file\n')
    const junctor = place.add([
      'io.github.acme/files',
      '--yes',
      '--input',
      'source=/srv',
      '--input',
      'token=${file:key}',
    ])
    expect(await junctor.ended()).toBe(0)
    expect(place.started()).toMatchObject([
      {
        argv: [
          'run',
          '-i',
          '--rm',
          '--mount=type=bind,src=/srv,dst=/project',
          '-e',
          'FILES_TOKEN',
          '-e',
          'DOCKER_HOST=tcp://evil.example',
          'ghcr.io/acme/files-mcp:3.1.0',
          '/project',
        ],
      },
    ])
  })

  test('the file of a package is compared with its hash', async () => {
    const file = 'the file of the package'
    const hash = createHash('sha256').update(file).digest('hex')
    place.answers.set('/npm/@acme%2Fweather-mcp/1.2.0', { dist: { tarball: `${place.registry.origin}/file.tgz` } })
    place.answers.set('/file.tgz', (response) => response.end(file))
    const members = { registryBaseUrl: `${place.registry.origin}/npm`, fileSha256: hash }
    place.answers.set(latest.weather, registryAnswer(npmServer(members)))
    expect(await place.add(['io.github.acme/weather', '--yes']).ended()).toBe(0)
    place.answers.set(
      latest.weather,
      registryAnswer(npmServer({ ...members, fileSha256: 'a'.repeat(64) }, { version: '1.3.0' })),
    )
    const other = place.add(['io.github.acme/weather', '--yes', '--name', 'other'])
    expect(await other.ended()).toBe(1)
    expect(other.stderr()).toContain(`its file has another SHA-256 than ${'a'.repeat(64)}`)
    expect(place.started()).toHaveLength(1)
  })
})

describe('a remote', () => {
  test('is preferred, and reached with its headers', async () => {
    const served = startJunctor(['serve', '--port', '0'], { folder: place.programs })
    const url = await served.line(/Ready on (\S+)/)
    const headers = [{ name: 'X-Key', isRequired: true, isSecret: true }]
    place.answers.set(
      latest.search,
      registryAnswer(remoteServer(url.replace('mcp', '{path}'), { headers, variables: { path: { default: 'mcp' } } })),
    )
    const junctor = place.add(['com.example/search', '--yes', '--input', 'X-Key'], { X_KEY: 'k' })
    expect(await junctor.ended()).toBe(0)
    expect(place.written()).toEqual({ backends: { search: { url, headers: { 'X-Key': '${env:X_KEY}' } } } })
    expect(junctor.stderr()).toContain(`  connect to  ${url}\n  with header X-Key=\${env:X_KEY}\n`)
    expect(junctor.stderr()).toContain('\n  --choice 3: package pypi search-mcp 2.0.0\n')
    expect(junctor.stdout()).toContain('demo__echo')
    served.child.kill()
    await served.ended()
  })

  test.each([
    'http://localhost:4000/mcp',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://2130706434/',
    'file:///etc/passwd',
    'https://user:pw@example.com/',
  ])('at %s is refused: the registry must not lead into the network of the gateway', async (url) => {
    place.answers.set(latest.search, registryAnswer(remoteServer(url)))
    const junctor = place.add(['com.example/search', '--yes'])
    expect(await junctor.ended()).toBe(1)
    expect(junctor.stderr()).toMatch(
      /must not be used: \S+: (?:localhost is this machine|\S+ has a private address|it is not a URL|it has credentials)/,
    )
    place.untouched()
  })
})

test('a running gateway picks the new backend up', async () => {
  writeFileSync(join(place.folder, 'junctor.yaml'), 'listen: { http: { port: 0 } }\nbackends: {}\n')
  const served = startJunctor(['serve'], { folder: place.folder, env: place.user() })
  const url = await served.line(/Ready on (\S+)/)
  place.answers.set(latest.weather, registryAnswer(npmServer()))
  expect(await place.add(['io.github.acme/weather', '--yes']).ended()).toBe(0)
  await eventually(async () => {
    const tools = startJunctor(['tools', '--url', url], { folder: place.folder })
    await tools.ended()
    expect(tools.stdout()).toContain('weather__forecast')
  }, processTimeout.timeout)
  served.child.kill()
  expect(await served.ended()).toBe(0)
})
