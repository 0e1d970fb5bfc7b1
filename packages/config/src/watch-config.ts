import { watch } from 'chokidar'
import { fileDigest } from './file-digest.ts'

export interface WatchOptions {
  /** A file counts as written when nothing has happened to it for this long, in milliseconds. Default 200. */
  readonly debounceMs?: number
}

/** A configuration file that is being watched. */
export interface ConfigWatch {
  /** Watches these files too, absolute, in place of those of the last call: the `files` of a `ParsedConfig`. */
  follow(files: readonly string[]): void
  /** Nothing is told any more. Resolves when no timer and no handle is left. Idempotent. */
  close(): Promise<void>
}

/**
 * How often files are looked at though nothing was heard of them, in milliseconds. Network file systems tell nothing; and
 * a link on the way to a file that is replaced, or a folder that goes and comes back at once, may go unnoticed.
 */
const roundMs = 2000

/**
 * Tells when what a file holds has changed and has settled: also when it was replaced, when a link on the way to it was
 * (Kubernetes), when it has gone, and when it is back. What it holds may be half a file all the same, or nonsense:
 * `loadConfig` says so. Begin before the file is read the first time, so that no change is missed.
 *
 * @param failed told of what the listener throws; the next change is told all the same
 */
export function watchConfig(
  file: string,
  listener: () => void,
  failed: (error: unknown) => void,
  { debounceMs = 200 }: WatchOptions = {},
): ConfigWatch {
  let digests = new Map([[file, fileDigest(file)]])
  let timer: NodeJS.Timeout | undefined
  let closed: Promise<void> | undefined
  const watcher = watch(file, { ignoreInitial: true })

  const changedFiles = (): readonly string[] =>
    [...digests].filter(([path, digest]) => digest !== fileDigest(path)).map(([path]) => path)
  const look = (): void => {
    timer = undefined
    const changed = changedFiles()
    for (const path of changed) digests.set(path, fileDigest(path))
    // What stands at the path now may not be what was there when the watcher began with it.
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
  // What happened before the watcher was ready was not seen by it.
  watcher.on('ready', lookSoon)
  watcher.on('error', lookSoon)
  const rounds = setInterval(() => {
    if (timer === undefined && changedFiles().length > 0) lookSoon()
  }, roundMs)

  return {
    follow(files) {
      if (closed !== undefined) return
      const before = digests
      // What is known of a file stays known: a change of it that was not told yet is still to be told.
      digests = new Map([file, ...files].map((path) => [path, before.get(path) ?? fileDigest(path)]))
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
