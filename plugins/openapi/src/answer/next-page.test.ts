import { expect, it } from 'vitest'
import type { OperationPlan } from '../tools/operation-plan.ts'
import { nextPage } from './next-page.ts'

const plan = { parameters: [] } as unknown as OperationPlan

const urlIn = (link: string): string | undefined => nextPage({ link }, undefined, plan, 'https://api.example/x')?.url

it.each([
  ['</x?page=2>; rel="next"', 'https://api.example/x?page=2'],
  ['</a>; rel="prev", </x>; title="a; b"; rel="last next"', 'https://api.example/x'],
  ['</x>; rel=next; title=x', 'https://api.example/x'],
  ['</x>; rel = next', 'https://api.example/x'],
  ['</x>; rel= "next prefetch"', 'https://api.example/x'],
  ['</x>; rel="next-archive"', undefined],
  ['</x>; rel="prev"; title="next"', undefined],
])('finds the next page in %s', (link, expected) => {
  expect(urlIn(link)).toBe(expected)
})

it.each([
  ['', ';rel='],
  ['', ';rel="'],
  ['', '; rel= '],
  [';rel=', ' '],
  [';rel="', ' '],
  ['', ';'],
  ['', '<a>'],
  ['', '<'],
])('a header that begins with %j and repeats %j costs little: an API may send one with each answer', (start, part) => {
  const link = `<x>${start}${part.repeat(10_000 / part.length)}`
  // With quadratic time for each, a minute or more for all.
  for (let count = 0; count < 1_000; count += 1) expect(urlIn(link)).toBeUndefined()
})
