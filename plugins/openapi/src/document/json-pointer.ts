import { isJsonObject, type JsonValue } from '@junctor/plugin-sdk/link'

/** A JSON pointer (RFC 6901) to a member below another pointer. */
export function pointerTo(base: string, ...steps: readonly (string | number)[]): string {
  return base + steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The steps of a JSON pointer, also of one in a URI fragment, where characters may be percent-encoded. */
export function pointerSteps(pointer: string): readonly string[] {
  const steps = pointer.split('/').slice(1)
  // Most have nothing to decode, and a large document has millions of look-ups.
  if (!/[%~]/.test(pointer)) return steps
  return steps.map((step) => percentDecoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a pointer; `undefined` when there is none. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const step of pointerSteps(pointer)) {
    if (Array.isArray(value)) value = value[Number(step)]
    else if (isJsonObject(value) && Object.hasOwn(value, step)) value = value[step]
    else return undefined
  }
  return value
}

/** A part of a URI reference without its percent-encoding; unchanged when the encoding is not valid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
