import type { Fabric } from '@junctor/contracts'
import { z } from 'zod'
import { askNode, type AskNodeParts } from '../../nodes/ask-node.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import { contextOf, type JobRecord } from '../record/job-record.ts'
import type { RefusedJobs } from './refused-jobs.ts'
import { type StoredJob, unstoredRevision } from './stored-records.ts'

/** How long a node has to answer, in milliseconds. */
const answerMs = 2_000

/** The client of a younger job has no answer yet, in milliseconds: the submission cannot have been given up. */
const freshMs = 3_000

/** What is needed to find out whether a job was refused. */
export interface IsRefusedParts extends AskNodeParts {
  readonly fabric: Pick<Fabric, 'node' | 'call' | 'now'>
  /** The jobs that this node has refused. */
  readonly refused: Pick<RefusedJobs, 'has'>
}

/** Whether the node that accepted a job has refused it afterwards. False when that node is gone. */
export function isRefused(
  parts: IsRefusedParts,
  key: string,
  { record, revision }: StoredJob,
): boolean | Promise<boolean> {
  const { fabric, refused } = parts
  if (record.from === fabric.node) return refused.has(key)
  const isNew = record.attempt === 0 || revision === unstoredRevision
  return isNew && fabric.now() - record.createdAt >= freshMs && asked(parts, key, record)
}

async function asked(parts: IsRefusedParts, key: string, record: JobRecord): Promise<boolean> {
  const question = { node: record.from, service: serviceNames.refused, context: contextOf(record), body: { key } }
  const answer = await askNode(parts, { ...question, answer: z.boolean(), withinMs: answerMs })
  return answer.kind === 'answered' && answer.value
}
