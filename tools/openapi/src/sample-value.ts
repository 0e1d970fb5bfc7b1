/** A JSON Schema, as far as samples are made from it. */
type SchemaObject = Readonly<Record<string, unknown>>

const simple: Readonly<Record<string, unknown>> = {
  string: 'x',
  integer: 1,
  number: 1,
  boolean: true,
  null: null,
  array: [],
}

/** A small value that probably matches a schema: its required members, and the first of each choice. */
export function sampleValue(schema: unknown, definitions: SchemaObject, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > 12) return 'x'
  const {
    $ref,
    const: fixed,
    enum: values,
    anyOf,
    oneOf,
    allOf,
    type,
    minItems,
    items,
    minLength,
    minimum,
    contentEncoding,
  } = schema as SchemaObject
  const sample = (part: unknown): unknown => sampleValue(part, definitions, depth + 1)
  if (typeof $ref === 'string') return sample(definitions[$ref.replace('#/$defs/', '')])
  if (fixed !== undefined) return fixed
  if (Array.isArray(values)) return values[0] as unknown
  if (contentEncoding === 'base64') return 'eA=='
  const choice = [anyOf, oneOf].find((list) => Array.isArray(list))
  const [name] = (Array.isArray(type) ? type : [type]) as readonly unknown[]
  const isObject = name === 'object' || 'properties' in schema
  if (isObject || Array.isArray(allOf)) {
    const parts = [
      ...(Array.isArray(allOf) ? (allOf as readonly unknown[]) : []),
      ...(Array.isArray(choice) ? [choice[0] as unknown] : []),
    ].map(sample)
    const own = isObject ? [requiredMembers(schema as SchemaObject, sample)] : []
    const objects = [...own, ...parts].filter((part) => typeof part === 'object' && part !== null)
    return objects.length > 0 ? Object.assign({}, ...objects) : parts[0]
  }
  if (Array.isArray(choice)) return sample(choice[0])
  if (name === 'array') return Array.from({ length: typeof minItems === 'number' ? minItems : 0 }, () => sample(items))
  if (name === 'string') return 'x'.repeat(typeof minLength === 'number' ? Math.max(1, minLength) : 1)
  if (typeof minimum === 'number') return minimum
  return typeof name === 'string' ? simple[name] : 'x'
}

function requiredMembers(schema: SchemaObject, sample: (part: unknown) => unknown): object {
  const { required, properties } = schema
  const known = (properties ?? {}) as SchemaObject
  const names = Array.isArray(required) ? (required as readonly string[]) : []
  return Object.fromEntries(names.map((name) => [name, sample(known[name])]))
}
