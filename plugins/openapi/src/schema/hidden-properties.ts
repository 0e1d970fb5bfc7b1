import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { itemsOf, membersOf, type OpenApiDocument } from '../document/document.ts'
import { partsOf, schemaBehind } from './properties-of.ts'

/**
 * The properties of an object that it has not in one direction, by the mark that says so: on the property, or on what it
 * refers to. Those of schemas that it consists of are looked at only where a property is required.
 */
export function hiddenProperties(
  document: OpenApiDocument,
  schema: JsonObject,
  pointer: string,
  mark: 'readOnly' | 'writeOnly',
): readonly string[] {
  const isMarked = (value: JsonValue | undefined): boolean => isJsonObject(value) && value[mark] === true
  const isHidden = (value: JsonValue | undefined): boolean => {
    if (!isJsonObject(value)) return false
    if (isMarked(value)) return true
    return [value, ...itemsOf(value['allOf'])].some((one) => isMarked(schemaBehind(document, one, pointer)))
  }
  const own = membersOf(schema['properties']).flatMap(([name, value]) => (isHidden(value) ? [name] : []))
  const required = requiredIn(schema)
  if (required.length === 0) return own
  const parts = partsOf(document, schema, pointer).map((part) => part['properties'])
  const others = required.filter((name) =>
    parts.some(
      (properties) => isJsonObject(properties) && Object.hasOwn(properties, name) && isHidden(properties[name]),
    ),
  )
  return [...own, ...others]
}

/** The names that a schema and the schemas directly in it require. */
function requiredIn(schema: JsonObject): readonly string[] {
  const inside = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => itemsOf(schema[keyword]))
  return [schema, ...inside].flatMap((one) =>
    isJsonObject(one) ? itemsOf(one['required']).filter((name) => typeof name === 'string') : [],
  )
}
