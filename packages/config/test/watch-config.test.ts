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
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ConfigWatch, watchConfig } from '../src/index.ts'
import { failReading } from './fail-reading.ts'

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

/** Watches a file, and records its content each time that a change is reported. */
function reportedOf(
  file: string,
  debounceMs = 50,
): { readonly reported: readonly string[]; readonly watch: ConfigWatch } {
  const reported: string[] = []
  const watch = watchConfig(file, () => reported.push(contentOf(file)), unexpected, { debounceMs })
  watches.push(watch)
  return { reported, watch }
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

/** Makes changes one by one, each after the one before was reported, and returns what was reported. */
async function reportedOfEach(
  reported: readonly string[],
  changes: readonly (() => void)[],
): Promise<readonly string[]> {
  for (const [index, change] of changes.entries()) {
    change()
    await expect.poll(() => reported.length).toBeGreaterThan(index)
  }
  return reported
}

function replace(file: string, content: string): void {
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}

/** For files that have not changed since they were read. */
const afterwards = Infinity

describe('a change is reported', () => {
  test('when it is written, replaced as editors do it, again, gone, and back', async () => {
    const file = join(folder, 'junctor.yaml')
    writeFileSync(file, 'a')
    const { reported } = reportedOf(file)
    expect(
      await reportedOfEach(reported, [
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

  test('when the folder of the file is replaced', async () => {
    const file = join(folder, 'conf', 'junctor.yaml')
    const write = (content: string): void => {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
    write('a')
    const { reported } = reportedOf(file)
    expect(
      await reportedOfEach(reported, [
        () => rmSync(dirname(file), { recursive: true }),
        () => write('b'),
        () => writeFileSync(file, 'c'),
      ]),
    ).toEqual(['ENOENT', 'b', 'c'])
  })

  test('when the file did not exist at first', async () => {
    const file = join(folder, 'junctor.yaml')
    const { reported } = reportedOf(file)
    expect(await reportedOfEach(reported, [() => writeFileSync(file, 'a'), () => replace(file, 'b')])).toEqual([
      'a',
      'b',
    ])
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
    const { reported } = reportedOf(file)
    expect(
      await reportedOfEach(reported, [() => [swap(2), remove(1)], () => [swap(3), remove(2)], () => swap(4)]),
    ).toEqual(['2', '3', '4'])
  })

  test('when the file is a link and its target changes', async () => {
    const file = join(folder, 'junctor.yaml')
    const [one, two] = [join(folder, 'one'), join(folder, 'two')]
    writeFileSync(one, '1')
    writeFileSync(two, '2')
    symlinkSync(one, file)
    const relink = (target: string): void => {
      symlinkSync(target, `${file}.new`)
      renameSync(`${file}.new`, file)
    }
    const { reported } = reportedOf(file)
    expect(
      await reportedOfEach(reported, [
        () => writeFileSync(one, '1a'),
        () => replace(one, '1b'),
        () => relink('two'),
        () => writeFileSync(two, '2a'),
        () => relink(one),
      ]),
    ).toEqual(['1a', '1b', '2', '2a', '1b'])
  })

  test('when a referenced file changes, but not when a file changes that is no longer referenced', async () => {
    const file = join(folder, 'junctor.yaml')
    const [key, other] = [join(folder, 'key'), join(folder, 'other')]
    writeFileSync(file, 'a')
    writeFileSync(key, '1')
    const { reported, watch } = reportedOf(file)
    watch.follow([key], afterwards)
    expect(await reportedOfEach(reported, [() => replace(key, '2')])).toEqual(['a'])
    watch.follow([other], afterwards)
    // A second watch of the file shows when its change would have been reported.
    const { reported: reportedElsewhere } = reportedOf(key)
    replace(key, '3')
    await expect.poll(() => reportedElsewhere).toEqual(['3'])
    expect(reported).toEqual(['a'])
    writeFileSync(other, '1')
    await expect.poll(() => reported).toEqual(['a', 'a'])
  })
})

test('a change that has not settled when other files are followed is still reported', async () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, 'a')
  const { reported, watch } = reportedOf(file)
  writeFileSync(file, 'b')
  watch.follow([], afterwards)
  await expect.poll(() => reported).toEqual(['b'])
})

test('a new file that has changed since it began to be read is reported', async () => {
  const file = join(folder, 'junctor.yaml')
  const [old, changed] = [join(folder, 'old'), join(folder, 'changed')]
  for (const path of [file, old, changed]) writeFileSync(path, 'a')
  const readAt = Date.now() - 60_000
  for (const path of [file, old]) utimesSync(path, new Date(0), new Date(0))
  const { reported, watch } = reportedOf(file)
  watch.follow([old], readAt)
  watch.follow([old, changed], readAt)
  await expect.poll(() => reported).toEqual(['a'])
})

test('a file that cannot be read because too many are open is not reported, until it can be read and has changed', async () => {
  const [file, marker] = [join(folder, 'junctor.yaml'), join(folder, 'marker')]
  writeFileSync(file, 'a')
  const { reported } = reportedOf(file)
  const { reported: reportedOfMarker } = reportedOf(marker)
  const readAgain = failReading(file, 'EMFILE')
  utimesSync(file, new Date(0), new Date(0))
  // An earlier event would have been reported before this one.
  for (const mark of ['1', '2']) {
    writeFileSync(marker, mark)
    await expect.poll(() => reportedOfMarker.at(-1)).toBe(mark)
  }
  writeFileSync(file, 'b')
  readAgain()
  await expect.poll(() => reported).toEqual(['b'])
})

test('an event that changes no content is not reported', async () => {
  const file = join(folder, 'junctor.yaml')
  const [neighbour, marker] = [join(folder, 'neighbour'), join(folder, 'marker')]
  writeFileSync(file, 'a')
  const { reported } = reportedOf(file)
  const { reported: reportedOfMarker } = reportedOf(marker)
  expect(await reportedOfEach(reportedOfMarker, [() => writeFileSync(marker, '1')])).toEqual(['1'])
  chmodSync(file, 0o600)
  utimesSync(file, new Date(0), new Date(0))
  replace(file, 'a')
  writeFileSync(neighbour, 'x')
  // An earlier event would have been reported before this one.
  for (const mark of ['2', '3']) {
    writeFileSync(marker, mark)
    await expect.poll(() => reportedOfMarker.at(-1)).toBe(mark)
  }
  expect(reported).toEqual([])
})

test('an incompletely written file is not reported', async () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, 'a')
  const { reported } = reportedOf(file, 4_000)
  const { reported: reportedOfHalves } = reportedOf(file)
  const halves = ['b', 'bc', 'bcd']
  expect(
    await reportedOfEach(
      reportedOfHalves,
      halves.map((half) => () => writeFileSync(file, half)),
    ),
  ).toEqual(halves)
  expect(reported).toEqual([])
  await expect.poll(() => reported).toEqual(['bcd'])
})

test('a listener that throws is still called for the next change', async () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, 'a')
  const failures: unknown[] = []
  const broken = new Error('broken')
  const reported: string[] = []
  const listener = (): void => {
    reported.push(contentOf(file))
    if (reported.length === 1) throw broken
  }
  watches.push(watchConfig(file, listener, (error) => failures.push(error), { debounceMs: 50 }))
  expect(await reportedOfEach(reported, [() => writeFileSync(file, 'b'), () => writeFileSync(file, 'c')])).toEqual([
    'b',
    'c',
  ])
  expect(failures).toEqual([broken])
})

test('nothing is reported after close, and no handle keeps the process alive', async () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, 'a')
  const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))
  const program = `
    import { writeFileSync } from 'node:fs'
    import { watchConfig } from ${JSON.stringify(entry)}
    const file = ${JSON.stringify(file)}
    const watch = watchConfig(file, () => {
      process.stdout.write('reported ')
      // A change is in progress, and its timer may be running, when the watch is closed.
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
  expect({ code, output }).toEqual({ code: 0, output: 'reported closed' })
})
