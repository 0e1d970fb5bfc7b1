import type { ToolAnnotations } from '@junctor/plugin-sdk'
import type { ToolMethod } from '../operations/operation-entry.ts'

/** What HTTP promises of the methods (RFC 9110, sections 9.2.1 and 9.2.2). POST may do anything. */
const promises: Readonly<Record<ToolMethod, { readonly safe: boolean; readonly idempotent: boolean }>> = {
  GET: { safe: true, idempotent: true },
  HEAD: { safe: true, idempotent: true },
  PUT: { safe: false, idempotent: true },
  DELETE: { safe: false, idempotent: true },
  POST: { safe: false, idempotent: false },
  PATCH: { safe: false, idempotent: false },
}

/** Whether a request may be sent again without another effect. */
export function isIdempotent(method: ToolMethod): boolean {
  return promises[method].idempotent
}

/** The hints of a tool, from the method of its operation. */
export function annotationsOf(method: ToolMethod): ToolAnnotations {
  const { safe, idempotent } = promises[method]
  return {
    readOnlyHint: safe,
    // A new resource destroys nothing; what POST does besides is unknown.
    ...(method !== 'POST' && { destructiveHint: !safe }),
    idempotentHint: idempotent,
    openWorldHint: true,
  }
}
