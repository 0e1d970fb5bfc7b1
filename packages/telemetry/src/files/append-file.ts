import { type FileHandle, open, rename, stat } from 'node:fs/promises'

/** The mode of new files: only the owner may read them. */
const ownerOnly = 0o600

const lineEnd = 0x0a

/** The number of full files that are kept, as `.1` (the newest) to `.5`. */
const keptFiles = 5

/** A file that lines are appended to, also when a log rotation renames it. A full file is rotated. */
export class AppendFile {
  readonly #path: string
  readonly #mostBytes: number
  #handle: FileHandle | undefined
  /** The size at which the file is rotated: larger than when it is full, after it could not be renamed. */
  #rotateAt: number

  /** @param mostBytes the size at which the file is full */
  constructor(path: string, mostBytes: number) {
    this.#path = path
    this.#mostBytes = mostBytes
    this.#rotateAt = mostBytes
  }

  /**
   * Opens the file, unless the open one is still the file at the path. Rejects when that fails.
   *
   * @returns whether it is a different file than before
   */
  async ready(): Promise<boolean> {
    if (this.#handle !== undefined && (await isSame(this.#handle, this.#path))) return false
    await this.close()
    // The file is opened for reading too, because its last line may be incomplete.
    const handle = await open(this.#path, 'a+', ownerOnly)
    this.#handle = handle
    if (await endsWithin(handle)) await handle.write('\n')
    return true
  }

  /**
   * Renames a full file. It is called between two batches, so that no line is split between files. Rejects when that
   * fails; then it is tried again only when the file has grown by as much again: each attempt renames the older files.
   */
  async rotate(): Promise<void> {
    const status = await this.#handle?.stat()
    if (status === undefined || !status.isFile()) return
    if (status.size < this.#mostBytes) this.#rotateAt = this.#mostBytes
    if (status.size < this.#rotateAt) return
    this.#rotateAt = status.size + this.#mostBytes
    await this.close()
    for (let number = keptFiles - 1; number >= 1; number -= 1) {
      // One after the other, the oldest first.
      // oxlint-disable-next-line no-await-in-loop
      await rename(`${this.#path}.${number}`, `${this.#path}.${number + 1}`).catch(ignoreMissing)
    }
    await rename(this.#path, `${this.#path}.1`)
    this.#rotateAt = this.#mostBytes
  }

  /** Writes some of the bytes, from the offset on, and returns their number. Rejects when it can write none. */
  async write(bytes: Buffer, offset: number): Promise<number> {
    if (this.#handle === undefined) throw new Error('expected a file that is open')
    const { bytesWritten } = await this.#handle.write(bytes, offset)
    return bytesWritten
  }

  async close(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close()
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

async function isSame(handle: FileHandle, path: string): Promise<boolean> {
  const own = await handle.stat()
  try {
    const { dev, ino } = await stat(path)
    return dev === own.dev && ino === own.ino
  } catch {
    return false
  }
}

/** Whether the last line of a file is incomplete. */
async function endsWithin(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return false
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return bytesRead === 1 && buffer[0] !== lineEnd
}
