import { resolve } from 'node:path'
import type { Finding } from '../problem.ts'
import type { Sections } from '../schema/sections.ts'

/**
 * Reports one file for events and audit: each is rotated on its own, and an auditor would read events. Devices are not
 * rotated: containers may write both to `/dev/stdout`.
 */
export function checkRecords({ events, audit }: Partial<Sections>, folder: string): readonly Finding[] {
  if (events?.file === undefined || audit?.file === undefined) return []
  const file = resolve(folder, audit.file)
  if (resolve(folder, events.file) !== file || file.startsWith('/dev/')) return []
  return [
    {
      kind: 'wrong_value',
      path: ['audit', 'file'],
      at: 'value',
      got: 'the file of events.file',
      expected: 'a file of its own',
      next: 'Choose another file, for example: file: ./audit.ndjson',
    },
  ]
}
