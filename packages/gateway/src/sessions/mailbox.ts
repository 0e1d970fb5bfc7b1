import type { JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { Delivered } from '../jobs/delivered.ts'

/** Answers of jobs that a session remembers to have had, at least: more than can be on their way twice at once. */
const remembered = 1_024

/** What a session's home knows of the answers that came for it. */
export interface Mailbox {
  /** The jobs whose answers came last. */
  answered: Set<string>
  /** Those before them. */
  answeredBefore: Set<string>
  /** Answers that wait for the rest of their batch, each behind its place in it: `3 {"jsonrpc":...}`. */
  readonly batches: Map<string, string[]>
}

export function createMailbox(): Mailbox {
  return { answered: new Set(), answeredBefore: new Set(), batches: new Map() }
}

/** What is to be said now that an answer is there; empty: nothing yet, or nothing at all. */
export function answerOf(mailbox: Mailbox, { job, text, batch }: Delivered): string {
  const { answered, answeredBefore, batches } = mailbox
  if (answered.has(job) || answeredBefore.has(job)) return ''
  answered.add(job)
  if (answered.size === remembered) {
    mailbox.answeredBefore = answered
    mailbox.answered = new Set()
  }
  if (batch === undefined) return text
  const texts = batches.get(batch.id) ?? []
  texts.push(`${batch.at} ${text}`)
  if (texts.length < batch.size) {
    batches.set(batch.id, texts)
    return ''
  }
  batches.delete(batch.id)
  const ordered = texts.toSorted((one, other) => Number.parseInt(one) - Number.parseInt(other))
  const said = ordered.map((one) => one.slice(one.indexOf(' ') + 1)).filter((one) => one !== '')
  return said.length === 0 ? '' : `[${said.join(',')}]`
}

/** As another node reads it. */
export function printMailbox({ answered, answeredBefore, batches }: Mailbox): JsonValue {
  return { answered: [...answered], before: [...answeredBefore], batches: Object.fromEntries(batches) }
}

/** Reads what another node, perhaps of another version, has printed. What is not there is empty. */
export function readMailbox(value: JsonValue | undefined): Mailbox {
  const { answered, before, batches } = isJsonObject(value) ? value : {}
  const waiting = isJsonObject(batches) ? Object.entries(batches) : []
  return {
    answered: new Set(textsIn(answered)),
    answeredBefore: new Set(textsIn(before)),
    batches: new Map(waiting.map(([id, texts]) => [id, textsIn(texts)])),
  }
}

function textsIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
