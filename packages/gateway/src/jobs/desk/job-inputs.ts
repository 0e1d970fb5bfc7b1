import type { Closer, Fabric, UnreadableReporter } from '@junctor/contracts'
import type { CallContext, Host, Outcome } from '@junctor/exchange'
import { edit, type JsonObject, member, type Payload, payloadOf } from '@junctor/jsonrpc'
import { printQuestions } from '@junctor/protocol'
import { z } from 'zod'
import { callNode } from '../../nodes/call-node.ts'
import { nodeHandler } from '../../nodes/node-handler.ts'
import { nodeRequest } from '../../nodes/node-request.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import { jsonObjectSchema } from '../../shared/schemas.ts'
import { contextOf, keyOf, type JobRecord } from '../record/job-record.ts'
import type { RunningJobs } from '../run/running-jobs.ts'

/** The questions of jobs, for clients that ask for them and send answers (SEP-2663, "Task Update Requests"). */
export interface JobInputs {
  /**
   * The open questions of a job, as an object with a method and params for each key. `undefined`: no node runs it now.
   * Never rejects.
   */
  open(record: JobRecord): Promise<Payload | undefined>
  /** Answers open questions. Keys without an open question are ignored. Never rejects. */
  answer(record: JobRecord, responses: JsonObject): Promise<void>
  /** Lets other nodes see and answer the questions of the jobs that this node runs. */
  serve(): Promise<Closer>
}

/** The jobs that run at this node, and how those of other nodes are asked. */
export interface JobInputsParts {
  readonly fabric: Pick<Fabric, 'node' | 'now' | 'call' | 'serve'>
  readonly host: Pick<Host, 'nextId'>
  readonly runs: Pick<RunningJobs, 'get'>
  readonly unreadable: UnreadableReporter
}

/** How long the node of a job may take, in milliseconds. */
const withinMs = 5_000

const schema = z.looseObject({ key: z.string(), responses: jsonObjectSchema.exactOptional() })

/** Creates the access to questions of jobs: those that run here directly, others by a call to their node. */
export function createJobInputs(parts: JobInputsParts): JobInputs {
  const { fabric, runs, unreadable } = parts

  /** Answers questions of a job on this node, and returns those that are open then. */
  const here = (key: string, responses: JsonObject): Payload | undefined => {
    const run = runs.get(key)
    if (run === undefined) return undefined
    for (const [id, response] of Object.entries(responses)) {
      if (run.questions.has(id) && response !== undefined) run.answer(id, { result: payloadOf(response) })
    }
    return printQuestions(run.questions)
  }

  const at = async (record: JobRecord, responses: JsonObject): Promise<Payload | undefined> => {
    const key = keyOf(record)
    const found = here(key, responses)
    const { node } = record
    if (found !== undefined || node === undefined || node === fabric.node) return found
    const request = nodeRequest(serviceNames.inputs, { key, responses })
    const outcome = await callNode(parts, { node, request, context: plainContext(record), withinMs })
    return outcome.kind === 'complete' ? member(outcome.result, 'open') : undefined
  }

  const handler = nodeHandler(schema, unreadable, ({ key, responses = {} }): Outcome => {
    const open = here(key, responses)
    return { kind: 'complete', result: open === undefined ? payloadOf({}) : edit(payloadOf({}), { open }) }
  })

  return {
    open: (record) => at(record, {}),
    async answer(record, responses) {
      await at(record, responses)
    },
    serve: () => fabric.serve(serviceNames.inputs, handler),
  }
}

/** The job's context, without the job: this request is not a part of it. */
function plainContext(record: JobRecord): CallContext {
  const { job: _job, backendTask: _task, ...context } = contextOf(record)
  return context
}
