import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { type Answer, type JsonValue, type Payload, printPayload, type WireError } from '@junctor/jsonrpc'
import type { NotificationBody } from '@junctor/exchange'
import type { RecordedAnswer, RecordedLine, RecordedMessage } from './recorded-line.ts'
import { createValueRedaction, type Secrets } from './redact-value.ts'

/** Writes the lines of a recording. Each is in the file before the next thing happens: a test may end at any time. */
export class RecordingWriter {
  readonly #file: number
  readonly #clean: (value: JsonValue) => JsonValue
  #isOpen = true
  #links = 0
  #calls = 0

  /**
   * Creates the file, readable by its owner only, in place of an earlier one.
   *
   * @throws Error when it cannot be written
   */
  constructor(file: string, secrets: Secrets | undefined) {
    this.#clean = createValueRedaction(secrets)
    // A file that exists keeps its mode.
    rmSync(file, { force: true })
    this.#file = openSync(file, 'wx', 0o600)
  }

  nextLink(): number {
    return (this.#links += 1)
  }

  nextCall(): number {
    return (this.#calls += 1)
  }

  /** What comes after the close is not recorded. */
  write(line: RecordedLine): void {
    if (this.#isOpen) writeSync(this.#file, `${JSON.stringify(line)}\n`)
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file)
    this.#isOpen = false
  }

  /** A value without secrets. */
  value(value: unknown): JsonValue {
    return this.#clean(JSON.parse(JSON.stringify(value ?? null)) as JsonValue)
  }

  /** A text without secrets. */
  text(text: string): string {
    return this.#clean(text) as string
  }

  payload(payload: Payload): JsonValue {
    return this.#clean(JSON.parse(printPayload(payload)) as JsonValue)
  }

  message({ method, params }: NotificationBody): RecordedMessage {
    return { method, ...(params && { params: this.payload(params) }) }
  }

  answer(answer: Answer): RecordedAnswer {
    return 'result' in answer ? { result: this.payload(answer.result) } : { error: this.#error(answer.error) }
  }

  #error({ code, message, title, data }: WireError): Extract<RecordedAnswer, { error: unknown }>['error'] {
    const about = { code, message: this.text(message), ...(title !== undefined && { title }) }
    return data === undefined ? about : { ...about, data: this.payload(data) }
  }
}
