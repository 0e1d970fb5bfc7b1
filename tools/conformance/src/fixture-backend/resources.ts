import {
  McpError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js'
import { pngBase64 } from './media.ts'

const plain = 'text/plain'

/** The resources that the suites read and subscribe to, by the URIs that they expect. */
export const resources: readonly Resource[] = [
  { uri: 'test://static-text', name: 'static-text', description: 'A text that never changes', mimeType: plain },
  { uri: 'test://static-binary', name: 'static-binary', description: 'One red pixel', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched-resource', description: 'To subscribe to', mimeType: plain },
]

/** The template that the suites fill in; {@link readResource} answers for any `id`. */
export const resourceTemplates: readonly ResourceTemplate[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    description: 'Data for each id',
    mimeType: 'application/json',
  },
]

/** Throws the error of 2025-11-25 for an unknown resource. */
export function readResource(uri: string): ReadResourceResult {
  if (uri === 'test://static-text') return one(uri, plain, 'This is the content of the static text resource.')
  if (uri === 'test://watched-resource') return one(uri, plain, 'Watched resource content')
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: pngBase64 }] }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id !== undefined) return one(uri, 'application/json', JSON.stringify({ id, data: `Data for ID: ${id}` }))
  throw new McpError(resourceNotFound, 'Resource not found', { uri })
}

/** Not among the SDK's codes. */
const resourceNotFound = -32002

function one(uri: string, mimeType: string, content: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text: content }] }
}
