import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { YAMLParseError } from 'yaml'
import { plainText } from './plain-text.ts'
import { kindOf } from './document.ts'
import { parseYaml } from './parse-yaml.ts'

/** A text, judged as an OpenAPI document. */
export type ParsedDocument =
  | { readonly kind: 'document'; readonly root: JsonObject; readonly version: '3.0' | '3.1' }
  | {
      readonly kind: 'refused'
      /** What was expected and what came. */
      readonly problem: string
      /** A line, counted from 1, or the pointer of the value with the problem. */
      readonly at: number | string
    }

/** Reads the text of a document: JSON or YAML, OpenAPI 3.0 or 3.1. */
export function parseDocument(text: string): ParsedDocument {
  const parsed = parseText(text)
  return parsed.kind === 'refused' ? parsed : judgeRoot(parsed.value)
}

/** The value of a text in JSON or YAML. */
export function parseText(
  text: string,
): { readonly kind: 'value'; readonly value: JsonValue } | Extract<ParsedDocument, { kind: 'refused' }> {
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(text)) {
    return { kind: 'refused', problem: 'expected JSON or YAML and got a web page or XML', at: 1 }
  }
  try {
    return { kind: 'value', value: (looksLikeJson(text) ? parseJson(text) : parseYaml(text)) as JsonValue }
  } catch (error) {
    const line = error instanceof YAMLParseError ? (error.linePos?.[0].line ?? 1) : 1
    const [why] = String(error instanceof Error ? error.message : error).split('\n')
    return { kind: 'refused', problem: `expected JSON or YAML: ${why}`, at: line }
  }
}

function looksLikeJson(text: string): boolean {
  return /^\uFEFF?\s*[{[]/.test(text)
}

/** JSON is tried first, because it is read fifty times as fast; YAML then says in which line the mistake is. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return parseYaml(text)
  }
}

function judgeRoot(root: JsonValue): ParsedDocument {
  const expected = 'expected an OpenAPI document of version 3.0 or 3.1'
  if (!isJsonObject(root)) return { kind: 'refused', problem: `${expected} and got ${kindOf(root)}`, at: 1 }
  const { openapi, swagger } = root
  if (openapi === undefined && swagger !== undefined) {
    const problem = `${expected} and got Swagger ${kindOf(swagger)}: convert it first`
    return { kind: 'refused', problem, at: '/swagger' }
  }
  // YAML without quotes makes a number of 3.1.
  const [, version] = /^(3\.[01])(?:\.|$)/.exec(plainText(openapi ?? null)) ?? []
  if (version === undefined) {
    const got = openapi === undefined ? 'no "openapi"' : `"openapi": ${kindOf(openapi)}`
    return { kind: 'refused', problem: `${expected} and got ${got}`, at: '/openapi' }
  }
  const { paths } = root
  if (paths !== undefined && !isJsonObject(paths)) {
    return { kind: 'refused', problem: `expected "paths" to be an object and got ${kindOf(paths)}`, at: '/paths' }
  }
  return { kind: 'document', root, version: version === '3.0' ? '3.0' : '3.1' }
}
