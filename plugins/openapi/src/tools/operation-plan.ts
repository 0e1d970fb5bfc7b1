import type { JsonObject, JsonValue } from '@junctor/plugin-sdk/link'
import type { RequestBody } from '../operations/body.ts'
import type { ToolMethod } from '../operations/operation-entry.ts'
import type { Parameter } from '../operations/parameter.ts'
import type { Security } from '../operations/security.ts'

/** A parameter, and the argument that holds its value. */
export interface PlannedParameter {
  readonly argument: string
  readonly parameter: Parameter
}

/** Everything that is needed to list an operation as a tool and to call it. */
export interface OperationPlan {
  /** The tool's name. */
  readonly name: string
  readonly title: string | undefined
  readonly description: string
  readonly method: ToolMethod
  /** The template. */
  readonly path: string
  readonly parameters: readonly PlannedParameter[]
  readonly body: RequestBody | undefined
  /** The header `accept`. */
  readonly accept: string
  readonly security: Security
  /** The operation's own servers; `undefined`: those of the document. */
  readonly servers: JsonValue | undefined
  readonly inputSchema: JsonObject
  /** Absent: no answer is declared to be JSON. */
  readonly outputSchema: JsonObject | undefined
}
