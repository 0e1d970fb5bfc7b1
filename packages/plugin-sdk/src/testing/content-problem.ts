import { isJsonObject, memberOf } from '@junctor/jsonrpc'

/** What each type of content must have, in the words of a message. */
const needs: Readonly<Record<string, readonly (readonly [what: string, isFit: (block: Block) => boolean])[]>> = {
  text: [['text', ({ text }) => isText(text)]],
  image: media(),
  audio: media(),
  resource: [
    ['a resource with a uri', ({ resource }) => isJsonObject(resource) && isText(resource['uri'])],
    [
      'a resource with text or blob',
      ({ resource }) => isJsonObject(resource) && [resource['text'], resource['blob']].some(isText),
    ],
  ],
  resource_link: [
    ['a uri', ({ uri }) => isText(uri)],
    ['a name', ({ name }) => isText(name)],
  ],
}

type Block = Readonly<Record<string, unknown>>

/** What is wrong with the content of a tool's result, if anything: clients that check it refuse the whole result. */
export function contentProblem(tool: string, result: unknown): string | undefined {
  const content: unknown = memberOf(result, 'content')
  const problems = (Array.isArray(content) ? content : []).map((block: unknown, index) => {
    const lacking = lackOf(block)
    return lacking && `tool ${tool}: expected content[${index}] to have ${lacking}`
  })
  return problems.find((problem) => problem !== undefined)
}

function lackOf(block: unknown): string | undefined {
  const type = memberOf(block, 'type')
  if (!isJsonObject(block) || !isText(type)) return 'a type'
  if (type.startsWith('custom/')) return undefined
  const known = Object.hasOwn(needs, type) ? needs[type] : undefined
  if (known === undefined) {
    return `the type ${Object.keys(needs).join(', ')} or custom/…, got ${JSON.stringify(type.slice(0, 100))}`
  }
  return known.find(([, isFit]) => !isFit(block))?.[0]
}

function media(): (typeof needs)[string] {
  return [
    ['data that is base64', ({ data }) => isText(data) && /^[A-Za-z0-9+/]*={0,2}$/.test(data)],
    ['a mimeType such as image/png', ({ mimeType }) => isText(mimeType) && mimeType.includes('/')],
  ]
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
