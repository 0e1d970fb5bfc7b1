import type { Dispatcher } from 'undici'

/** Reads answers over HTTP, JSON or events, and counts comments on streams. */
export class AnswerReader {
  readonly #onFrame: (frame: string) => void
  #comments = 0

  /** @param onFrame called with every frame */
  constructor(onFrame: (frame: string) => void) {
    this.#onFrame = onFrame
  }

  get comments(): number {
    return this.#comments
  }

  /** Reads a body to its end. Rejects when its connection is lost. */
  async read(body: Dispatcher.ResponseData['body'], isStream: boolean): Promise<void> {
    if (!isStream) {
      const text = await body.text()
      if (text !== '') this.#onFrame(text)
      return
    }
    let rest = ''
    body.setEncoding('utf8')
    for await (const chunk of body) {
      const blocks = (rest + String(chunk)).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) this.#event(block)
    }
  }

  #event(block: string): void {
    let data = ''
    for (const line of block.split('\n')) {
      if (line.startsWith('data: ')) data += line.slice(6)
      else if (line.startsWith(':')) this.#comments += 1
    }
    if (data !== '') this.#onFrame(data)
  }
}
