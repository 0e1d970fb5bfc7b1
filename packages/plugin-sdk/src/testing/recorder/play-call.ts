import type { Client, Exchange, Outcome, Progress } from '@junctor/exchange'
import { type Answer, type JsonValue, payloadOf, type WireError } from '@junctor/jsonrpc'
import type { RecordedLine } from './recorded-line.ts'
import type { RecordedExchange } from './read-recording.ts'
import type { RedactValue } from './redact-value.ts'
import { keyText } from './request-key.ts'

type Line<Kind extends RecordedLine['kind']> = Extract<RecordedLine, { kind: Kind }>

/** What a played call needs of its backend. */
export interface PlayPlace {
  /** The client of a recorded link. Undefined: it is not open. */
  readonly clientOf: (link: number) => Client | undefined
  /** Closes a recorded link as its server did. */
  readonly closeLink: (link: number, error: Error) => void
  /** Removes the secrets of the recording from an answer of the client. */
  readonly redact: RedactValue
  /** An error that says why the recording cannot go on. */
  readonly refusal: (exchange: Exchange, message: string) => Outcome
}

/** Does for a request what was recorded for it, in the same order and without its pauses. */
export async function playCall({ events }: RecordedExchange, exchange: Exchange, place: PlayPlace): Promise<Outcome> {
  const asked = new Map<number, Promise<Answer>>()
  let outcome: Outcome | undefined
  for (const event of events) {
    if (exchange.ended !== undefined) return place.refusal(exchange, `the request has ended: ${exchange.ended}`)
    if (event.kind === 'outcome') outcome = outcomeOf(event)
    else if (event.kind === 'ask') asked.set(event.ask, ask(event, exchange))
    else if (event.kind === 'answer') {
      // oxlint-disable-next-line no-await-in-loop -- what follows was recorded after the answer
      const differs = await differenceOf(event, asked.get(event.ask), place.redact)
      if (differs !== undefined) return place.refusal(exchange, differs)
    }
    // oxlint-disable-next-line no-await-in-loop
    else if (event.kind === 'end') await ended(exchange)
    else if (event.kind === 'chunk') {
      // oxlint-disable-next-line no-await-in-loop -- as fast as the client reads
      await exchange.chunk(event.data)
    } else emit(event, exchange, place)
  }
  return outcome ?? place.refusal(exchange, 'the recording ends before the outcome of this request')
}

type Emitted = Line<'ack'> | Line<'progress'> | Line<'notification'> | LinkLine

/** What happened on a link outside of its calls. */
export type LinkLine = Line<'sent'> | Line<'received'> | Line<'closed'>

function emit(event: Emitted, exchange: Exchange, place: PlayPlace): void {
  if (event.kind === 'ack') exchange.ack(event.ack)
  else if (event.kind === 'progress') exchange.progress(event.progress as unknown as Progress)
  else if (event.kind === 'notification') exchange.notify(messageOf(event))
  else emitOnLink(event, place)
}

/** Does what was recorded on a link outside of its calls. What the client has sent is not played. */
export function emitOnLink(event: LinkLine, { clientOf, closeLink }: Pick<PlayPlace, 'clientOf' | 'closeLink'>): void {
  if (event.kind === 'received') clientOf(event.link)?.notify(messageOf(event))
  else if (event.kind === 'closed') closeLink(event.link, new Error(event.error))
}

function ask(event: Line<'ask'>, exchange: Exchange): Promise<Answer> {
  const request = messageOf(event)
  return event.to === 'client' ? exchange.ask(request) : exchange.callTool(request.params)
}

/** The result of the recording belongs to the recorded answer: another answer would have had another result. */
async function differenceOf(
  { answer: recorded }: Line<'answer'>,
  asked: Promise<Answer> | undefined,
  redact: RedactValue,
): Promise<string | undefined> {
  const answer = await asked
  if (answer === undefined) return 'the recording has an answer without a question'
  const given = redact(('result' in answer ? answer.result.value() : { code: answer.error.code }) as JsonValue)
  const wanted = 'result' in recorded ? recorded.result : { code: recorded.error.code }
  const [left, right] = [text(given), text(wanted)]
  return left === right ? undefined : `the client was asked, and has answered ${left}; recorded is ${right}`
}

function text(value: JsonValue): string {
  return keyText({ method: '', params: value }).trim()
}

function ended(exchange: Exchange): Promise<void> {
  return new Promise((resolve) => exchange.onEnd({ ended: () => resolve() }))
}

function messageOf({ method, params }: { readonly method: string; readonly params?: JsonValue | undefined }): {
  method: string
  params: ReturnType<typeof payloadOf> | undefined
} {
  return { method, params: params === undefined ? undefined : payloadOf(params) }
}

function outcomeOf({ outcome }: Line<'outcome'>): Outcome {
  if ('result' in outcome) return { kind: 'complete', result: payloadOf(outcome.result) }
  const { data, ...error } = outcome.error
  return { kind: 'error', error: (data === undefined ? error : { ...error, data: payloadOf(data) }) as WireError }
}
