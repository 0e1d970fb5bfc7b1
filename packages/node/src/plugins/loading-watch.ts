import { Worker } from 'node:worker_threads'
import { printable } from '@junctor/primitives'

/** Names on standard error the module whose code keeps this thread while it loads: then nothing else can report it. */
export interface LoadingWatch extends Disposable {
  /** Called when a module has been loaded: from now on the next one is. */
  loaded(): void
}

/** A module is named after this time, in milliseconds. One that only waits has been given up before: see `importPlugin`. */
const namedAfterMs = 12_000

/**
 * Begins with the first module. Dispose it when all have been loaded. It keeps no process running.
 *
 * @param references the modules as the configuration names them, in the order in which they are loaded
 */
export function watchLoading(references: readonly string[], afterMs: number = namedAfterMs): LoadingWatch {
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const lines = references.map((reference) => lineFor(reference, afterMs))
  startThread({ state, lines, afterMs })
  const load = (at: number): void => {
    Atomics.store(state, 0, at)
    Atomics.notify(state, 0)
  }
  return { loaded: () => load(Atomics.load(state, 0) + 1), [Symbol.dispose]: () => load(references.length) }
}

/** Modules are loaded also when the system, or the permissions of the process, give no thread. */
function startThread(workerData: WatchData): void {
  const program = `(${String(watch)})(require('node:fs'), require('node:worker_threads'))`
  try {
    const worker = new Worker(program, { eval: true, env: {}, execArgv: [], workerData })
    worker.on('error', () => {})
    worker.unref()
  } catch {}
}

function lineFor(reference: string, afterMs: number): string {
  const next = `Look for a loop that does not end. Until it ends, process ${process.pid} does nothing else.`
  return `The plugin ${printable(reference)} has not loaded after ${afterMs / 1000} s. ${next}\n`
}

interface WatchData {
  /** Which module is loading: its place among the lines, or their number when all have been loaded. */
  readonly state: Int32Array
  readonly lines: readonly string[]
  readonly afterMs: number
}

/** The program of the thread, which gets its source text: it may use nothing from outside. */
function watch({ writeSync }: typeof import('node:fs'), { workerData }: typeof import('node:worker_threads')): void {
  const { state, lines, afterMs } = workerData as WatchData
  for (let at = 0; at < lines.length; at = Atomics.load(state, 0)) {
    if (Atomics.wait(state, 0, at, afterMs) !== 'timed-out') continue
    writeSync(2, lines[at] ?? '')
    Atomics.wait(state, 0, at)
  }
}
