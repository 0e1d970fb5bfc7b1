import { type FileHandle, open, stat } from 'node:fs/promises'

/** Whoever may run the gateway reads what it writes; others are let in on purpose. */
const ownerOnly = 0o600

const lineEnd = 0x0a

/** A file that lines are appended to, also when a log rotation takes it away. */
export class AppendFile {
  readonly #path: string
  #handle: FileHandle | undefined

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Opens the file unless the one that is open is still the one at the path. Rejects when that fails.
   *
   * @returns whether it is another file than before
   */
  async ready(): Promise<boolean> {
    if (this.#handle !== undefined && (await isSame(this.#handle, this.#path))) return false
    await this.close()
    // To be read as well: the last line may have been left without an end.
    const handle = await open(this.#path, 'a+', ownerOnly)
    this.#handle = handle
    if (await endsWithin(handle)) await handle.write('\n')
    return true
  }

  /** Writes some of the bytes, from the offset on. Rejects when it can write none. */
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

async function isSame(handle: FileHandle, path: string): Promise<boolean> {
  const own = await handle.stat()
  try {
    const { dev, ino } = await stat(path)
    return dev === own.dev && ino === own.ino
  } catch {
    return false
  }
}

/** Whether the last line of a file has no end. */
async function endsWithin(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return false
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return bytesRead === 1 && buffer[0] !== lineEnd
}
