import { type Failure, type LineOutput } from '@junctor/command'
import { type Problem, renderProblems } from '@junctor/config'

/** A worker that gateways can reach. */
interface ReadyWorker {
  /** Its name in the fabric. */
  readonly node: string
  readonly backends: readonly string[]
  /** The root of its admin port. */
  readonly admin: string | undefined
}

/** Reports the start to the user of the command. It is the last line, unless the worker fails later. */
export interface Report {
  ready(ready: ReadyWorker): void
  /** The configuration cannot be used. */
  invalid(problems: readonly Problem[]): void
  /** The worker could not start, or could not continue. */
  failed(failure: Failure): void
}

/** @param json for programs: one line, a JSON object */
export function createReport(output: LineOutput, json: true | undefined): Report {
  return json === true ? jsonReport(output) : textReport(output)
}

function jsonReport(output: LineOutput): Report {
  const line = (value: object): void => output.write(`${JSON.stringify(value)}\n`)
  return {
    ready: ({ node, backends, admin }) => line({ ready: true, node, backends, ...(admin !== undefined && { admin }) }),
    invalid: (problems) => line({ ready: false, problems }),
    failed: ({ message, next }) => line({ ready: false, error: message, next }),
  }
}

function textReport(output: LineOutput): Report {
  return {
    ready({ node, backends, admin }) {
      if (admin !== undefined) output.write(`Probes and metrics are at ${admin}.\n`)
      output.write(`Ready as node ${node}, with ${backends.join(', ')}\n`)
    },
    invalid(problems) {
      const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
      output.write(`${renderProblems(problems, { color: false })}\n`)
      output.write(`The configuration has ${count}; nothing was started.\n`)
    },
    failed({ message, next }) {
      output.write(`junctor-worker: ${message}\n  ${next}\n`)
    },
  }
}
