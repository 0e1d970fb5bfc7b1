import type { BrokenFile } from './wrong-values.ts'

/** Broken files of the kind `pins_unusable`, beside a damaged file of approved tools. */
export const brokenPins: readonly BrokenFile[] = [
  [
    'approved tools in a damaged file',
    'pins: block',
    '1:7 pins | junctor.pins.json, which is not a JSON object | junctor.pins.json as `junctor pins approve` writes it | Restore the file, or remove it and approve the tools again: junctor pins approve',
  ],
  [
    'approved tools of one backend in a damaged file',
    'backends: { files: { command: x, pins: warn } }',
    '1:40 backends.files.pins | junctor.pins.json, which is not a JSON object | junctor.pins.json as `junctor pins approve` writes it | Restore the file, or remove it and approve the tools again: junctor pins approve',
  ],
]
