import { expect, test } from 'vitest'
import { LinkedList, Place } from './linked-list.ts'

/** Every sequence of five steps on three items: odd steps append the item, even steps remove it. */
function* sequences(): Generator<readonly number[]> {
  for (let code = 0; code < 6 ** 5; code += 1)
    yield Array.from({ length: 5 }, (_, at) => Math.floor(code / 6 ** at) % 6)
}

test('keeps the order of appends when items leave and return', () => {
  for (const steps of sequences()) {
    const list = new LinkedList<number>()
    const places = [0, 1, 2].map((item) => new Place(item))
    let expected: number[] = []
    for (const step of steps) {
      const item = step >> 1
      const place = places[item] as Place<number>
      const comes = step % 2 === 1
      const result = comes ? list.append(place) : list.remove(place)
      expect(result).toBe(comes ? undefined : expected.includes(item))
      expected = [...expected.filter((other) => other !== item), ...(comes ? [item] : [])]
    }
    expect(list.items()).toEqual(expected)
    expect(list.first?.item).toBe(expected[0])
  }
})

test('a removed place references nothing, so it keeps nothing else in memory', () => {
  const list = new LinkedList<string>()
  const places = ['a', 'b', 'c'].map((item) => new Place(item))
  for (const place of places) list.append(place)
  for (const place of places) list.remove(place)
  expect(places).toEqual(['a', 'b', 'c'].map((item) => new Place(item)))
})

test('a place moves from one list to another', () => {
  const [one, other] = [new LinkedList<string>(), new LinkedList<string>()]
  const place = new Place('x')
  one.append(place)
  other.append(place)
  expect(one.items()).toEqual([])
  expect(one.remove(place)).toBe(false)
  expect(other.items()).toEqual(['x'])
})
