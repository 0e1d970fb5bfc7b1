import type { JsonObject } from '@junctor/jsonrpc'

/**
 * The input schema of a tool that takes no arguments, or of which none are known. Several clients refuse all tools of a
 * server for one schema without `properties`, although JSON Schema does not demand it.
 */
export const anyArguments: JsonObject = { type: 'object', properties: {} }
