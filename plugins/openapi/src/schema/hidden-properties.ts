import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { itemsOf, type OpenApiDocument } from '../document/document.ts'
import { propertiesOf, schemaBehind } from './properties-of.ts'

/**
 * The properties of an object that it has not in one direction, by the mark that says so: on the property, or on what it
 * refers to.
 */
export function hiddenProperties(
  document: OpenApiDocument,
  schema: JsonObject,
  pointer: string,
  mark: 'readOnly' | 'writeOnly',
): readonly string[] {
  const isMarked = (value: JsonValue | undefined): boolean => isJsonObject(value) && value[mark] === true
  return propertiesOf(document, schema, pointer).flatMap(([name, value]) => {
    if (!isJsonObject(value)) return []
    const behind = [value, ...itemsOf(value['allOf'])].map((one) => schemaBehind(document, one, pointer))
    return [value, ...behind].some(isMarked) ? [name] : []
  })
}
