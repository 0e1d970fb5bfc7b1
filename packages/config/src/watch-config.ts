import { statSync } from 'node:fs'
import { watch } from 'chokidar'
import { fileDigest } from './file-digest.ts'

/** How a file is watched. */
export interface WatchOptions {
  /** A file counts as written when nothing has changed for this long, in milliseconds. Default 200. */
  readonly debounceMs?: number
}

/** A watched configuration file. */
export interface ConfigWatch {
  /**
   * Also watches these files (absolute paths), in place of those of the previous call: the `files` of a `ParsedConfig`.
   *
   * @param readAt when they began to be read, in epoch milliseconds: a new file that has changed since is reported
   */
  follow(files: readonly string[], readAt: number): void
  /** Stops watching; the listener is not called any more. Resolves when no timer and no handle remains. Idempotent. */
  close(): Promise<void>
}

/**
 * How often files are checked without a notification, in milliseconds. Network file systems send no notifications. The
 * replacement of a link on the path, or a folder that is removed and created immediately, may also go unnoticed.
 */
const roundMs = 2000

/**
 * Calls the listener when the content of a file has changed and settled: also when the file, or a link on the path to
 * it (Kubernetes), was replaced, when the file was removed, and when it exists again. The content may still be
 * incomplete or invalid; `loadConfig` reports that. Start watching before the file is read for the first time, so that
 * no change is missed.
 *
 * @param failed called with an error that the listener throws; later changes still call the listener
 */
export function watchConfig(
  file: string,
  listener: () => void,
  failed: (error: unknown) => void,
  { debounceMs = 200 }: WatchOptions = {},
): ConfigWatch {
  /** `undefined`: the file has changed, and that is still to be reported. */
  let digests = new Map<string, string | undefined>([[file, fileDigest(file)]])
  let timer: NodeJS.Timeout | undefined
  let closed: Promise<void> | undefined
  const watcher = watch(file, { ignoreInitial: true })

  const changedFiles = (): readonly string[] =>
    [...digests].filter(([path, digest]) => isChanged(path, digest)).map(([path]) => path)
  const look = (): void => {
    timer = undefined
    const changed = changedFiles()
    for (const path of changed) digests.set(path, fileDigest(path))
    // The file at the path may be a different one than the watcher started with.
    watcher.unwatch([...changed]).add([...changed])
    if (changed.length === 0) return
    try {
      listener()
    } catch (error) {
      failed(error)
    }
  }
  const lookSoon = (): void => {
    if (closed !== undefined) return
    clearTimeout(timer)
    timer = setTimeout(look, debounceMs)
  }
  watcher.on('all', lookSoon)
  // The watcher did not see changes before it was ready.
  watcher.on('ready', lookSoon)
  watcher.on('error', lookSoon)
  const rounds = setInterval(() => {
    if (timer === undefined && changedFiles().length > 0) lookSoon()
  }, roundMs)

  return {
    follow(files, readAt) {
      if (closed !== undefined) return
      const before = digests
      // A file that stays keeps its digest, so that a change that is not reported yet is still reported.
      const digestOf = (path: string): string | undefined =>
        before.has(path) ? before.get(path) : isNewer(path, readAt) ? undefined : fileDigest(path)
      digests = new Map([file, ...files].map((path) => [path, digestOf(path)]))
      if (changedFiles().length > 0) lookSoon()
      watcher.unwatch([...before.keys()].filter((path) => !digests.has(path)))
      watcher.add([...digests.keys()].filter((path) => !before.has(path)))
    },
    close() {
      clearTimeout(timer)
      clearInterval(rounds)
      return (closed ??= watcher.close())
    },
  }
}

/** Whether a file is known to differ: that it cannot be read now says nothing. */
function isChanged(path: string, before: string | undefined): boolean {
  const now = fileDigest(path)
  return now !== undefined && now !== before
}

/** Clocks of file systems are a few milliseconds behind. */
const clockMs = 20

function isNewer(path: string, time: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.mtimeMs > time - clockMs
}
