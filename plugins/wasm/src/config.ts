import * as z from 'zod'

/** The configuration of a backend whose tools are in a WebAssembly module. */
export interface WasmConfig {
  /** The module; a relative path starts at the folder of the configuration file. */
  readonly wasm: string
  /** What the module may read by name. Nothing of the gateway's environment is among it. */
  readonly values: Readonly<Record<string, string>>
  /** The hosts that the module may send requests to. */
  readonly hosts: readonly string[]
  /** Bytes that the memory of one call may have: whole pages of 64 KiB. */
  readonly memory: number
  /** Bytes that one call may send: its answer, its pieces, its progress and its log messages. */
  readonly output: number
  /** Calls of one tenant that run at the same time, each in a thread of its own. Others wait. */
  readonly threads: number
}

const units: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

function size(smallest: number, largest: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^\d+(?:B|KiB|MiB|GiB)$/, 'a size such as 64KiB or 16MiB')
    .transform((text) => {
      const [, count = '', unit = ''] = /^(\d+)(\w+)$/.exec(text) ?? []
      return Number(count) * (units[unit] ?? 1)
    })
    .refine((bytes) => bytes >= smallest && bytes <= largest, `from ${smallest} to ${largest} bytes`)
}

/** The options beside `wasm`, with their defaults. */
export const config: z.ZodType<WasmConfig> = z.strictObject({
  wasm: z.string().min(1).meta({ example: './tool.wasm' }),
  values: z.record(z.string(), z.string()).default({}),
  hosts: z.array(z.string().min(1)).default([]),
  memory: size(64 * 1024, 4 * 1024 ** 3)
    .prefault('64MiB')
    .meta({ example: '16MiB' }),
  output: size(1024, 16 * 1024 ** 2)
    .prefault('4MiB')
    .meta({ example: '1MiB' }),
  threads: z.int().min(1).max(32).default(4),
})
