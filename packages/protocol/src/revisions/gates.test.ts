import { expect, test } from 'vitest'
import { type Revision, revisions } from '../revision.ts'
import { allows, type Feature } from './gates.ts'

// The matrix of the specification, one letter for each revision: A 2024-11-05, B 2025-03-26, C 2025-06-18, D
// 2025-11-25, E 2026-07-28.
test.each([
  ['batches', '-B---'],
  ['primingEvent', '---D-'],
  ['revisionHeader', '--CDE'],
  ['unreadableIdOmitted', '---DE'],
  ['completionsCapability', '-BCDE'],
  ['toolAnnotations', '-BCDE'],
  ['audio', '-BCDE'],
  ['progressMessage', '-BCDE'],
  ['structuredContent', '--CDE'],
  ['anyStructuredContent', '----E'],
  ['resourceLinks', '--CDE'],
  ['titles', '--CDE'],
  ['icons', '---DE'],
  ['elicitation', '--CDE'],
  ['urlElicitation', '---DE'],
  ['elicitationChoices', '---DE'],
  ['samplingTools', '---DE'],
  ['samplingContentArrays', '---DE'],
  ['tasks', '---D-'],
  ['argumentErrorsAsResults', '---DE'],
  ['taskExtension', '----E'],
  ['cacheHints', '----E'],
] as const satisfies readonly (readonly [Feature, string])[])('%s: %s', (feature, expected) => {
  const mark = (revision: Revision, at: number): string => (allows(revision, feature) ? 'ABCDE'.charAt(at) : '-')
  expect(revisions.map(mark).join('')).toBe(expected)
})
