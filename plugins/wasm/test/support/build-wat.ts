import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import wabt from 'wabt'
import { onTestFinished } from 'vitest'

/** The metadata of a tool without arguments. */
export const plainTool = { name: 'tool', description: 'A tool', version: '1.2.3', inputSchema: { type: 'object' } }

/** A module in the text format, without what every module of these tests has. */
export interface WatModule {
  /** What `call` does; the position of the tool is `(local.get $tool)`. */
  readonly call?: string
  /** What `describe` does. Default: it gives `metadata`. */
  readonly describe?: string
  /** Default: one tool without arguments. */
  readonly metadata?: unknown
  /** More fields of the module. */
  readonly more?: string
  /** Default: one page. */
  readonly memory?: string
}

/** What `call` does to give a text as it is. The text starts at address 32768. */
export const giveText = '(call $output (i32.const 32768) (i32.load (i32.const 32764)))'

/** The binary form of a module, and a text in its memory. */
export async function buildWat(wat: WatModule, text: string | Uint8Array = ''): Promise<Uint8Array> {
  const about = Buffer.from(JSON.stringify(wat.metadata ?? plainTool))
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return compileWat(`(module
    (import "junctor" "input" (func $input (result i32)))
    (import "junctor" "value" (func $value (param i32 i32) (result i32)))
    (import "junctor" "fetch" (func $fetch (param i32 i32) (result i32)))
    (import "junctor" "take" (func $take (param i32)))
    (import "junctor" "output" (func $output (param i32 i32)))
    (import "junctor" "progress" (func $progress (param f64 f64 i32 i32)))
    (import "junctor" "piece" (func $piece (param i32 i32)))
    (import "junctor" "log" (func $log (param i32 i32 i32)))
    ${wat.memory ?? '(memory (export "memory") 1)'}
    (data (i32.const 1024) "${escaped(about)}")
    (data (i32.const 32764) "${escaped(length)}${escaped(bytes)}")
    ${wat.more ?? ''}
    (func (export "describe") ${wat.describe ?? `(call $output (i32.const 1024) (i32.const ${about.length}))`})
    (func (export "call") (param $tool i32) (local $i i32) (local $n i32) ${wat.call ?? giveText}))`)
}

/** Compiles a whole module from the text format. */
export async function compileWat(source: string): Promise<Uint8Array> {
  const tools = await wabt()
  const module = tools.parseWat('module.wat', source, { exceptions: true, reference_types: true })
  try {
    return module.toBinary({}).buffer
  } finally {
    module.destroy()
  }
}

/** Writes a file into a folder that is removed after the test. Returns its path. */
export function writeModule(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-wasm-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'tool.wasm')
  writeFileSync(path, bytes)
  return path
}

function escaped(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('')
}
