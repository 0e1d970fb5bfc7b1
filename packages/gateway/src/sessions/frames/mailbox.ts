import type { JsonValue } from '@junctor/jsonrpc'
import { z } from 'zod'
import type { JobFrame } from '../../jobs/delivery/job-frame.ts'

/**
 * A session remembers at least this many jobs whose answers it got: more than can be delivered twice at the same time.
 */
const remembered = 1_024

/** What a session's home knows about the answers that were delivered to it. */
export interface Mailbox {
  /** The jobs of the latest answers. */
  answered: Set<string>
  /** The jobs of the answers before those. */
  answeredBefore: Set<string>
  /** Answers that wait for the rest of their batch, each after its position in the batch: `3 {"jsonrpc":...}`. */
  readonly batches: Map<string, string[]>
}

/** Creates a mailbox, empty. */
export function createMailbox(): Mailbox {
  return { answered: new Set(), answeredBefore: new Set(), batches: new Map() }
}

/** Whether a job has its answer. */
export function isAnswered({ answered, answeredBefore }: Mailbox, job: string): boolean {
  return answered.has(job) || answeredBefore.has(job)
}

/** Takes an answer. Returns the text to send now; empty: nothing to send yet, or nothing at all. */
export function answerOf(mailbox: Mailbox, { job, text, batch }: Omit<JobFrame, 'last'>): string {
  if (isAnswered(mailbox, job)) return ''
  const { answered, batches } = mailbox
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
  const answers = ordered.map((one) => one.slice(one.indexOf(' ') + 1)).filter((one) => one !== '')
  return answers.length === 0 ? '' : `[${answers.join(',')}]`
}

/** Writes a mailbox for another node. */
export function printMailbox({ answered, answeredBefore, batches }: Mailbox): JsonValue {
  return { answered: [...answered], before: [...answeredBefore], batches: Object.fromEntries(batches) }
}

const texts = z.array(z.string()).default([])

/** A mailbox as another node wrote it, perhaps one of another version. A missing member is empty. */
export const mailboxSchema: z.ZodType<Mailbox> = z
  .object({ answered: texts, before: texts, batches: z.record(z.string(), z.array(z.string())).default({}) })
  .transform(({ answered, before, batches }) => ({
    answered: new Set(answered),
    answeredBefore: new Set(before),
    batches: new Map(Object.entries(batches)),
  }))
