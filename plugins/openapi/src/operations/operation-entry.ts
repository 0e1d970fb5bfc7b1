import { type JsonObject, isJsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { itemsOf, type Located, membersOf, objectIn, type OpenApiDocument, textOf } from '../document/document.ts'
import { DocumentProblem, orProblem } from '../document/document-problem.ts'
import { pointerTo } from '../document/json-pointer.ts'

/** The methods that become tools. */
const toolMethods = ['get', 'put', 'post', 'delete', 'patch', 'head'] as const

/** A method of HTTP whose operations become tools. */
export type ToolMethod = Uppercase<(typeof toolMethods)[number]>

/** An operation, as far as it is read to choose and name it. */
export interface OperationEntry {
  readonly method: ToolMethod
  /** The template: `/pets/{id}`. */
  readonly path: string
  readonly operationId: string | undefined
  readonly tags: readonly string[]
  readonly value: JsonObject
  readonly pointer: string
  /** Members of the path item that count for each of its operations. */
  readonly shared: Readonly<Record<'parameters' | 'servers', JsonValue | undefined>>
  readonly sharedPointer: string
}

/** The operations of a document in its order, and the parts of `paths` that are not operations. */
export interface OperationEntries {
  readonly entries: readonly OperationEntry[]
  readonly problems: readonly DocumentProblem[]
}

/** Lists the operations of a document, without reading what is in them. */
export function operationEntries(document: OpenApiDocument): OperationEntries {
  const entries: OperationEntry[] = []
  const problems: DocumentProblem[] = []
  for (const [path, given] of membersOf(document.root['paths'])) {
    if (!path.startsWith('/')) continue
    const at = pointerTo('/paths', path)
    const item = orProblem(() => objectIn(document, given, at))
    if (item instanceof DocumentProblem) {
      problems.push(item)
      continue
    }
    const { parameters, servers } = item.value
    for (const method of toolMethods) {
      const found = item.value[method]
      if (found === undefined) continue
      const operation = operationIn(document, found, pointerTo(item.pointer, method))
      if (operation instanceof DocumentProblem) problems.push(operation)
      else {
        const { value, pointer } = operation
        entries.push({
          method: method.toUpperCase() as ToolMethod,
          path,
          operationId: textOf(value['operationId']),
          tags: itemsOf(value['tags']).flatMap((tag) => textOf(tag) ?? []),
          value,
          pointer,
          shared: { parameters, servers },
          sharedPointer: item.pointer,
        })
      }
    }
  }
  return { entries, problems }
}

/** The specification has no references to operations; documents in several files have them nevertheless. */
function operationIn(document: OpenApiDocument, value: JsonValue, pointer: string): Located | DocumentProblem {
  if (!isJsonObject(value)) return new DocumentProblem(pointer, 'expected an operation: an object')
  return orProblem(() => objectIn(document, value, pointer))
}
