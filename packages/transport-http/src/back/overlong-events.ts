/** The first and the last characters of the data of an event that is too long. */
export interface OverlongEvent {
  readonly beginning: string
  readonly ending: string
}

/** Receives a stream of events without those that are too long. */
export interface ShortEventsListener {
  /** The next characters, of one event at most. */
  text(text: string): void
  /** What was received of the current event must be forgotten: its rest is left out. */
  cut(): void
  /** An event that was left out has ended. */
  overlong(event: OverlongEvent): void
}

/** How many characters are kept of the beginning and of the end of an event. */
const keptCharacters = 512

/** Leaves out the events of a stream that are too long, so that those after them can be read. */
export class OverlongEvents {
  readonly #listener: ShortEventsListener
  readonly #maxCharacters: number
  readonly #lineEnd = /\r\n|\n|\r/g
  /** Whether the last text ended with `\r`: a `\n` that follows is of the same line end. */
  #endedWithReturn = false
  #atLineStart = true
  #length = 0
  #beginning = ''
  #ending = ''
  #isCut = false

  constructor(maxCharacters: number, listener: ShortEventsListener) {
    this.#maxCharacters = maxCharacters
    this.#listener = listener
  }

  push(text: string): void {
    let from = this.#endedWithReturn && text.startsWith('\n') ? 1 : 0
    let start = 0
    while (start < text.length) {
      const end = this.#endOfEvent(text, from)
      this.#take(text.slice(start, end))
      if (end !== undefined) this.#endEvent()
      start = from = end ?? text.length
    }
    if (text !== '') this.#endedWithReturn = text.endsWith('\r')
  }

  /** The index after the next empty line, if there is one. */
  #endOfEvent(text: string, from: number): number | undefined {
    this.#lineEnd.lastIndex = from
    let start = from
    for (let found = this.#lineEnd.exec(text); found !== null; found = this.#lineEnd.exec(text)) {
      const isEmpty = this.#atLineStart && found.index === start
      start = this.#lineEnd.lastIndex
      this.#atLineStart = true
      if (isEmpty) return start
    }
    if (start < text.length) this.#atLineStart = false
    return undefined
  }

  #take(text: string): void {
    this.#length += text.length
    if (this.#beginning.length < keptCharacters) this.#beginning += text.slice(0, keptCharacters)
    if (!this.#isCut && this.#length > this.#maxCharacters) {
      this.#isCut = true
      this.#listener.cut()
    }
    this.#ending = (this.#ending + text.slice(-keptCharacters)).slice(-keptCharacters)
    if (!this.#isCut) this.#listener.text(text)
  }

  #endEvent(): void {
    const overlong = this.#isCut && { beginning: dataOf(this.#beginning, false), ending: dataOf(this.#ending, true) }
    this.#length = 0
    this.#beginning = this.#ending = ''
    this.#isCut = false
    if (overlong !== false) this.#listener.overlong(overlong)
  }
}

/** The lines of data in a part of an event. The first line may be the rest of one. */
function dataOf(part: string, beginsInLine: boolean): string {
  return part
    .split(/\r\n|\n|\r/)
    .filter((line, at) => line.startsWith('data:') || (beginsInLine && at === 0))
    .map((line) => line.replace(/^data: ?/, ''))
    .join('\n')
}
