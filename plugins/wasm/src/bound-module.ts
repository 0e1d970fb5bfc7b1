import { BinaryReader, leb128 } from './binary.ts'

/** The size of a page of memory, in bytes (WebAssembly core specification, section 4.2.8). */
const pageBytes = 64 * 1024
/** The most entries of all tables of a module together. */
const mostEntries = 1_000_000
/** `\0asm`, then the version of core modules. Components have the same magic and another version. */
const preamble = Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00])
const sections = { types: 1, tables: 4, memories: 5 } as const
/** The types of values whose size is bounded: numbers, vectors, references to functions and to what the host gives. */
const plainTypes: ReadonlySet<number> = new Set([0x7f, 0x7e, 0x7d, 0x7c, 0x7b, 0x70, 0x6f])

/** A module that cannot grow beyond its bounds, or the reason why there is none. */
export type BoundedModule =
  | { readonly kind: 'bounded'; readonly bytes: Uint8Array }
  | { readonly kind: 'problem'; readonly problem: string }

/** A bound that the module does not keep. Only `boundModule` catches it. */
class Problem extends Error {}

/**
 * Writes maxima for memory and tables into a module: the engine bounds neither what a module defines itself (4 GiB of
 * memory), nor does it survive tables or objects that fill the heap of a thread. Objects of the proposal for garbage
 * collection have no maximum that could be written, so modules with their types are refused.
 *
 * @param bytes the module in the binary format
 * @param most the bound of the memory, in bytes
 */
export function boundModule(bytes: Uint8Array, most: number): BoundedModule {
  try {
    checkPreamble(bytes)
    return { kind: 'bounded', bytes: boundSections(bytes, most) }
  } catch (error) {
    if (error instanceof Problem) return { kind: 'problem', problem: error.message }
    return { kind: 'problem', problem: 'expected a WebAssembly module, got a file that ends early or is damaged' }
  }
}

function checkPreamble(bytes: Uint8Array): void {
  if (Buffer.compare(bytes.subarray(0, 4), preamble.subarray(0, 4)) !== 0) {
    throw new Problem('expected a WebAssembly module, got another file')
  }
  if (Buffer.compare(bytes.subarray(0, 8), preamble) !== 0) {
    throw new Problem('expected a core WebAssembly module of version 1, got a component or another version')
  }
}

function boundSections(bytes: Uint8Array, most: number): Uint8Array {
  const reader = new BinaryReader(bytes, preamble.length)
  const parts: Uint8Array[] = [preamble]
  let hasMemory = false
  while (!reader.done) {
    const start = reader.at
    const id = reader.byte()
    const size = reader.u32()
    const content = bytes.subarray(reader.at, reader.at + size)
    reader.at += size
    if (id === sections.types) checkTypes(new BinaryReader(content))
    if (id === sections.tables) parts.push(section(id, boundTables(new BinaryReader(content))))
    else if (id === sections.memories) {
      hasMemory = true
      parts.push(section(id, boundMemory(new BinaryReader(content), Math.floor(most / pageBytes))))
    } else parts.push(bytes.subarray(start, reader.at))
  }
  if (!hasMemory) throw new Problem('expected a module with a memory of its own, got one without')
  return Buffer.concat(parts)
}

function section(id: number, content: readonly number[]): Uint8Array {
  return Uint8Array.from([id, ...leb128(content.length), ...content])
}

/** Every type must be one of functions of plain values. */
function checkTypes(reader: BinaryReader): void {
  for (let left = reader.u32(); left > 0; left -= 1) {
    if (reader.byte() !== 0x60)
      throw new Problem('expected a module without types for garbage collection, got one with')
    for (const list of ['parameters', 'results']) {
      for (let values = reader.u32(); values > 0; values -= 1) checkPlain(reader.byte(), list)
    }
  }
}

function checkPlain(type: number, where: string): void {
  if (plainTypes.has(type)) return
  throw new Problem(`expected numbers, vectors, funcref or externref in ${where}, got the type 0x${type.toString(16)}`)
}

function boundTables(reader: BinaryReader): readonly number[] {
  const count = reader.u32()
  const most = Math.floor(mostEntries / Math.max(1, count))
  const tables = Array.from({ length: Math.min(count, mostEntries) }, () => {
    const type = reader.byte()
    checkPlain(type, 'tables')
    return [type, ...boundLimits(reader, most, 'entries in a table', 1)]
  })
  return [...leb128(count), ...tables.flat()]
}

function boundMemory(reader: BinaryReader, most: number): readonly number[] {
  const count = reader.u32()
  if (count !== 1) throw new Problem(`expected one memory, got ${count}`)
  return [1, ...boundLimits(reader, most, 'bytes of memory', pageBytes)]
}

/** Limits with a maximum that is not above the bound. */
function boundLimits(reader: BinaryReader, most: number, what: string, unit: number): readonly number[] {
  const flags = reader.byte()
  if (flags !== 0 && flags !== 1) throw new Problem('expected memory and tables of 32 bits that are not shared')
  const initial = reader.u32()
  if (initial > most) throw new Problem(`the module begins with ${initial * unit} ${what}, and may have ${most * unit}`)
  const declared = flags === 1 ? reader.u32() : most
  return [1, ...leb128(initial), ...leb128(Math.min(declared, most))]
}
