import type { Frame } from '@junctor/exchange'
import type { Delivered } from './delivered.ts'
import type { JobDelivery } from './job-delivery.ts'
import type { JobRecord } from './job-record.ts'

/** Puts a frame of a job on its session's own stream. A promise: so much is on its way that the job is to wait. */
export function deliverFrame(
  deliveries: Pick<JobDelivery, 'deliver'>,
  record: JobRecord,
  frame: Frame | undefined,
): Promise<void> | undefined {
  const delivered = deliveredOf(record, frame)
  return delivered && deliveries.deliver(record.home, delivered)
}

/** Brings the answer there. False: nobody knows whether its session has it, so whoever gets the job next brings it once more. */
export function bringAnswer(
  deliveries: Pick<JobDelivery, 'bring'>,
  record: JobRecord,
  frame: Frame | undefined,
): Promise<boolean> {
  const delivered = deliveredOf(record, frame)
  return delivered === undefined ? Promise.resolve(true) : deliveries.bring(record.home, delivered)
}

function deliveredOf({ id, session, batch }: JobRecord, frame: Frame | undefined): Delivered | undefined {
  if (frame === undefined || session === undefined) return undefined
  return { session, job: id, text: frame.text, last: frame.last, batch }
}
