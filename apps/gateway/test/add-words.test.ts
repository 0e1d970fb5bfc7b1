import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createAddPlace, latest } from './add-place.ts'
import { startJunctor } from './junctor-process.ts'
import { npmServer, registryAnswer, remoteServer, withInputs } from './registry-fixtures.ts'
import { startOnTerminal } from './terminal-process.ts'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

const place = createAddPlace()

describe('consent and inputs', () => {
  test('in a pipe, nothing is written without --yes, but everything is shown', async () => {
    place.answers.set(latest.weather, registryAnswer(npmServer()))
    const junctor = place.add(['io.github.acme/weather'])
    expect(await junctor.ended()).toBe(2)
    expect(junctor.stderr()).toContain('  run   npx -y @acme/weather-mcp@1.2.0\n')
    expect(junctor.stderr()).toContain('junctor add --yes')
    place.untouched()
  })

  test('in a pipe, all missing inputs are listed', async () => {
    place.answers.set(latest.weather, registryAnswer(npmServer(withInputs)))
    const junctor = place.add(['io.github.acme/weather', '--yes'])
    expect(await junctor.ended()).toBe(2)
    expect(junctor.stderr()).toBe(`io.github.acme/weather needs values that were not given:
  city (may be repeated) - A city
    --input city=…
  WEATHER_KEY (a secret, by reference) - The key
    --input WEATHER_KEY='\${env:WEATHER_KEY}'
`)
    place.untouched()
  })

  test('on a terminal, everything is asked for; what cannot be is asked again', async () => {
    place.answers.set(latest.weather, registryAnswer(npmServer(withInputs)))
    const junctor = startOnTerminal(['add', 'io.github.acme/weather'], {
      folder: place.folder,
      env: place.user({ PATH: `${place.programs}:${process.env['PATH']}`, WEATHER_KEY: 'k' }),
    })
    await junctor.typed(/city \(may be repeated\) - A city: $/, '')
    await junctor.typed(/It is required\.\s+city .*: $/, 'Oslo')
    await junctor.typed(/city .*: $/, '')
    await junctor.typed(/WEATHER_KEY \(a secret, by reference\) - The key: \[\$\{env:WEATHER_KEY\}\] $/, 'hunter2')
    await junctor.typed(/is a secret, and no secret is written[^]*WEATHER_KEY .*\] $/, '')
    await junctor.typed(/units \(one of metric, imperial\): \[metric\] $/, 'kelvin')
    await junctor.typed(/expected one of metric, imperial[^]*units .*\] $/, 'imperial')
    await junctor.typed(/LOG_LEVEL: \[info\] $/, '')
    await junctor.typed(
      /run {3}npx -y @acme\/weather-mcp@1\.2\.0 serve Oslo --units=imperial --verbose[^]*Add it, and try it now\? \(yes or no\) $/,
      'yes',
    )
    expect(await junctor.ended()).toBe(0)
    expect(junctor.screen()).toContain('tools      forecast')
    expect(place.written()).toMatchObject({ backends: { weather: { env: { WEATHER_KEY: '${env:WEATHER_KEY}' } } } })
  })

  test('on a terminal, anything but yes writes nothing', async () => {
    place.answers.set(latest.weather, registryAnswer(npmServer()))
    const junctor = startOnTerminal(['add', 'io.github.acme/weather'], {
      folder: place.folder,
      env: place.user({ PATH: `${place.programs}:${process.env['PATH']}` }),
    })
    await junctor.typed(/\(yes or no\) $/, '')
    expect(await junctor.ended()).toBe(1)
    expect(readdirSync(place.folder)).toEqual([])
  })
})

describe('other targets', () => {
  test('a program with its options', async () => {
    const junctor = place.add(['--yes', 'npx', '-y', '@scope/server', '--yes', '--name', 'x'])
    expect(await junctor.ended()).toBe(0)
    expect(place.written()).toEqual({
      backends: { server: { command: 'npx', args: ['-y', '@scope/server', '--yes', '--name', 'x'] } },
    })
    expect(readdirSync(place.folder)).not.toContain('junctor.servers.json')
  })

  test('a document in a file, which may name private hosts', async () => {
    const served = startJunctor(['serve', '--port', '0'], { folder: place.programs })
    const url = await served.line(/Ready on (\S+)/)
    writeFileSync(join(place.folder, 'server.json'), JSON.stringify(remoteServer(url)))
    const junctor = place.add(['server.json', '--yes', '--name', 'mine'])
    expect(await junctor.ended()).toBe(0)
    expect(place.written()).toEqual({ backends: { mine: { url } } })
    served.child.kill()
    await served.ended()
  })

  test('a URL that cannot be reached is added all the same, and reported', async () => {
    const junctor = place.add(['http://127.0.0.1:9/mcp', '--yes', '--name', 'nothing'])
    expect(await junctor.ended()).toBe(5)
    expect(place.written()).toEqual({ backends: { nothing: { url: 'http://127.0.0.1:9/mcp' } } })
    expect(junctor.stdout()).toContain('Added nothing to ')
    expect(junctor.stdout()).toContain('failed  nothing')
  })

  test.each([
    [['https://example.com/mcp?api_key=hunter2', '--yes'], 2, 'seems to hold a secret'],
    [
      ['https://example.com/mcp', 'more'],
      2,
      'expected only options of junctor add after https://example.com/mcp, got "more"',
    ],
    [['npx', 'server', '--api-key', 'hunter2'], 2, 'args.2 seems to hold a secret'],
    [['https://example.com/mcp', '--input', 'a=b'], 2, '--input is for servers of a registry'],
    [['nowhere.json', '--yes'], 2, 'there is no file '],
    [['io.github.acme/weather', '--registry', 'evil'], 2, 'Expected a URL such as'],
    [['io.github.acme/weather', '--choice', '0'], 2, 'Expected a number from 1'],
    [['https://example.com/mcp', '--yes', '--name', 'A_B'], 2, 'Expected a name of a to z'],
    [[], 2, "missing required argument 'target'"],
  ])('the words %j are refused', async (words, code, message) => {
    const junctor = place.add(words)
    expect(await junctor.ended()).toBe(code)
    expect(junctor.stderr()).toContain(message)
    place.untouched()
  })

  test('what the file has already is added again only under a name of its own', async () => {
    const before = 'backends: { mine: { args: [-y, server], command: npx } }\n'
    writeFileSync(join(place.folder, 'junctor.yaml'), before)
    const again = place.add(['--yes', 'npx', '-y', 'server'])
    expect(await again.ended()).toBe(1)
    expect(again.stderr()).toContain('junctor.yaml has it already, as the backend mine\n')
    expect(place.text()).toBe(before)
    expect(await place.add(['--yes', '--name', 'other', 'npx', '-y', 'server']).ended()).toBe(0)
    expect(place.written()).toMatchObject({ backends: { mine: {}, other: { command: 'npx' } } })
  })

  test('a configuration that cannot be read is not touched', async () => {
    writeFileSync(join(place.folder, 'junctor.yaml'), 'backends: [')
    const junctor = place.add(['https://example.com/mcp', '--yes'])
    expect(await junctor.ended()).toBe(1)
    expect(junctor.stderr()).toContain('cannot be read as YAML or JSON')
    expect(place.text()).toBe('backends: [')
  })

  test('a variable that is not set is reported with its place', async () => {
    place.answers.set(latest.weather, registryAnswer(npmServer(withInputs)))
    const junctor = place.add(['io.github.acme/weather', '--yes', '--input', 'city=Oslo', '--input', 'WEATHER_KEY'])
    expect(await junctor.ended()).toBe(3)
    expect(junctor.stdout()).toContain('Set it before starting: export WEATHER_KEY=…')
    expect(readdirSync(place.folder)).not.toContain('started.ndjson')
  })
})
