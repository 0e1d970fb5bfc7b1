import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ConfigWatch, watchConfig } from '../src/index.ts'

let folder: string
let watches: ConfigWatch[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-watch-'))
  watches = []
})
afterEach(async () => {
  await Promise.all(watches.map((watch) => watch.close()))
  rmSync(folder, { recursive: true })
})

/** What a file holds each time that a change of it is told. */
function toldOf(file: string, debounceMs = 50): { readonly told: readonly string[]; readonly watch: ConfigWatch } {
  const told: string[] = []
  const watch = watchConfig(file, () => told.push(contentOf(file)), unexpected, { debounceMs })
  watches.push(watch)
  return { told, watch }
}

function unexpected(error: unknown): never {
  throw error
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? ''
  }
}

/** All that is told when changes are made one by one, each when the one before was told. */
async function toldOfEach(told: readonly string[], changes: readonly (() => void)[]): Promise<readonly string[]> {
  for (const [index, change] of changes.entries()) {
    change()
    await vi.waitFor(() => expect(told.length).toBeGreaterThan(index), 5000)
  }
  return told
}

function replace(file: string, content: string): void {
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}

describe('a file is told of', () => {
  test('when it is written, replaced as editors do it, again, gone, and back', async () => {
    const file = join(folder, 'junctor.yaml')
    writeFileSync(file, 'a')
    const { told } = toldOf(file)
    expect(
      await toldOfEach(told, [
        () => writeFileSync(file, 'b'),
        () => replace(file, 'c'),
        () => replace(file, 'd'),
        () => writeFileSync(file, 'e'),
        () => rmSync(file),
        () => writeFileSync(file, 'e'),
        () => replace(file, 'f'),
      ]),
    ).toEqual(['b', 'c', 'd', 'e', 'ENOENT', 'e', 'f'])
  })

  test('when the folder is replaced that it is in', async () => {
    const file = join(folder, 'conf', 'junctor.yaml')
    const write = (content: string): void => {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
    write('a')
    const { told } = toldOf(file)
    expect(
      await toldOfEach(told, [
        () => rmSync(dirname(file), { recursive: true }),
        () => write('b'),
        () => writeFileSync(file, 'c'),
      ]),
    ).toEqual(['ENOENT', 'b', 'c'])
  })

  test('when it was not there at first', async () => {
    const file = join(folder, 'junctor.yaml')
    const { told } = toldOf(file)
    expect(await toldOfEach(told, [() => writeFileSync(file, 'a'), () => replace(file, 'b')])).toEqual(['a', 'b'])
  })

  test('when Kubernetes swaps a volume, whether or not it leaves the old one for a while', async () => {
    const file = join(folder, 'junctor.yaml')
    const swap = (version: number): void => {
      mkdirSync(join(folder, `..${version}`))
      writeFileSync(join(folder, `..${version}`, 'junctor.yaml'), `${version}`)
      symlinkSync(`..${version}`, join(folder, '..data_tmp'))
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'))
    }
    const remove = (version: number): void => rmSync(join(folder, `..${version}`), { recursive: true })
    swap(1)
    symlinkSync('..data/junctor.yaml', file)
    const { told } = toldOf(file)
    expect(await toldOfEach(told, [() => [swap(2), remove(1)], () => [swap(3), remove(2)], () => swap(4)])).toEqual([
      '2',
      '3',
      '4',
    ])
  })

  test('when it is a link, by what it leads to', async () => {
    const file = join(folder, 'junctor.yaml')
    const [one, two] = [join(folder, 'one'), join(folder, 'two')]
    writeFileSync(one, '1')
    writeFileSync(two, '2')
    symlinkSync(one, file)
    const relink = (target: string): void => {
      symlinkSync(target, `${file}.new`)
      renameSync(`${file}.new`, file)
    }
    const { told } = toldOf(file)
    expect(
      await toldOfEach(told, [
        () => writeFileSync(one, '1a'),
        () => replace(one, '1b'),
        () => relink('two'),
        () => writeFileSync(two, '2a'),
        () => relink(one),
      ]),
    ).toEqual(['1a', '1b', '2', '2a', '1b'])
  })

  test('when a file that it refers to has changed, and one that it no longer refers to is left alone', async () => {
    const file = join(folder, 'junctor.yaml')
    const [key, other] = [join(folder, 'key'), join(folder, 'other')]
    writeFileSync(file, 'a')
    writeFileSync(key, '1')
    const { told, watch } = toldOf(file)
    watch.follow([key])
    expect(await toldOfEach(told, [() => replace(key, '2')])).toEqual(['a'])
    watch.follow([other])
    // Somebody else who watches the file says when its change would have been told.
    const { told: toldElsewhere } = toldOf(key)
    replace(key, '3')
    await vi.waitFor(() => expect(toldElsewhere).toEqual(['3']), 5000)
    expect(told).toEqual(['a'])
    writeFileSync(other, '1')
    await vi.waitFor(() => expect(told).toEqual(['a', 'a']), 5000)
  })
})

test('a change that had not settled when other files were followed is told all the same', async () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, 'a')
  const { told, watch } = toldOf(file)
  writeFileSync(file, 'b')
  watch.follow([])
  await vi.waitFor(() => expect(told).toEqual(['b']), 5000)
})

test('nothing is told of what changes no content', async () => {
  const file = join(folder, 'junctor.yaml')
  const [neighbour, marker] = [join(folder, 'neighbour'), join(folder, 'marker')]
  writeFileSync(file, 'a')
  const { told } = toldOf(file)
  const { told: toldOfMarker } = toldOf(marker)
  expect(await toldOfEach(toldOfMarker, [() => writeFileSync(marker, '1')])).toEqual(['1'])
  chmodSync(file, 0o600)
  utimesSync(file, new Date(0), new Date(0))
  replace(file, 'a')
  writeFileSync(neighbour, 'x')
  // What happened before this would be told before it.
  for (const mark of ['2', '3']) {
    writeFileSync(marker, mark)
    await vi.waitFor(() => expect(toldOfMarker.at(-1)).toBe(mark), 5000)
  }
  expect(told).toEqual([])
})

test('a file that is half written is not told of', async () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, 'a')
  const { told } = toldOf(file, 1500)
  const { told: toldOfHalves } = toldOf(file)
  const halves = ['b', 'bc', 'bcd']
  expect(
    await toldOfEach(
      toldOfHalves,
      halves.map((half) => () => writeFileSync(file, half)),
    ),
  ).toEqual(halves)
  expect(told).toEqual([])
  await vi.waitFor(() => expect(told).toEqual(['bcd']), 5000)
})

test('who throws when it is told is told of the next change all the same', async () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, 'a')
  const failures: unknown[] = []
  const broken = new Error('broken')
  const told: string[] = []
  const tell = (): void => {
    told.push(contentOf(file))
    if (told.length === 1) throw broken
  }
  watches.push(watchConfig(file, tell, (error) => failures.push(error), { debounceMs: 50 }))
  expect(await toldOfEach(told, [() => writeFileSync(file, 'b'), () => writeFileSync(file, 'c')])).toEqual(['b', 'c'])
  expect(failures).toEqual([broken])
})

test('nothing is told after the end, and nothing is left that would keep a process', async () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, 'a')
  const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))
  const program = `
    import { writeFileSync } from 'node:fs'
    import { watchConfig } from ${JSON.stringify(entry)}
    const file = ${JSON.stringify(file)}
    const watch = watchConfig(file, () => {
      process.stdout.write('told ')
      // A change is under way, and its timer may be running, when the end comes.
      writeFileSync(file, 'c')
      setImmediate(() => watch.close().then(() => process.stdout.write('closed')))
    }, (error) => { throw error }, { debounceMs: 20 })
    writeFileSync(file, 'b')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  expect({ code, output }).toEqual({ code: 0, output: 'told closed' })
})
