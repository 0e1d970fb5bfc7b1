import type { Frame } from '@junctor/exchange'
import type { JobFrame } from './job-frame.ts'
import type { JobDelivery } from './job-delivery.ts'
import type { JobRecord } from '../record/job-record.ts'

/**
 * Delivers a frame of a job to its session's own stream. Returns a promise when so much is on its way that the job must
 * wait.
 */
export function deliverFrame(
  deliveries: Pick<JobDelivery, 'deliver'>,
  record: JobRecord,
  frame: Frame | undefined,
): Promise<void> | undefined {
  const delivered = deliveredOf(record, frame)
  return delivered && deliveries.deliver(record.home, delivered)
}

/**
 * Delivers the answer. Returns false when it is unknown whether the session has it: the next node that gets the job
 * delivers it again.
 */
export function deliverAnswer(
  deliveries: Pick<JobDelivery, 'deliverSurely'>,
  record: JobRecord,
  frame: Frame | undefined,
): Promise<boolean> {
  const delivered = deliveredOf(record, frame)
  return delivered === undefined ? Promise.resolve(true) : deliveries.deliverSurely(record.home, delivered)
}

function deliveredOf({ id, session, batch }: JobRecord, frame: Frame | undefined): JobFrame | undefined {
  if (frame === undefined || session === undefined) return undefined
  return { session, job: id, text: frame.text, last: frame.last, batch }
}
