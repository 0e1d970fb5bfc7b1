import type { WireError } from '@junctor/jsonrpc'

const invalidParams = -32_602
const standardCodes: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, invalidParams, -32_603])

/** The code of an unknown resource in revisions up to 2025-11-25 (Resources, "Error Handling"). */
const resourceNotFound = -32_002

/** Whether JSON-RPC 2.0 itself defines a code (section 5.1). */
export function isStandardCode(code: number): boolean {
  return standardCodes.has(code)
}

/**
 * Converts an error of a backend for clients of a document in which other codes are about the gateway itself. An unknown
 * resource becomes an error of params, and every other error gets the code `other`.
 */
export function withStandardCode(error: WireError, other: number): WireError {
  if (isStandardCode(error.code)) return error
  return { ...error, code: error.code === resourceNotFound ? invalidParams : other }
}
