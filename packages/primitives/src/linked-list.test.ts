import { expect, test } from 'vitest'
import { LinkedList, ListNode } from './linked-list.ts'

/** Every sequence of five steps on three items: odd steps append the item, even steps remove it. */
function* sequences(): Generator<readonly number[]> {
  for (let code = 0; code < 6 ** 5; code += 1)
    yield Array.from({ length: 5 }, (_, at) => Math.floor(code / 6 ** at) % 6)
}

test('keeps the order of appends when items leave and return', () => {
  for (const steps of sequences()) {
    const list = new LinkedList<number>()
    const nodes = [0, 1, 2].map((item) => new ListNode(item))
    let expected: number[] = []
    for (const step of steps) {
      const item = step >> 1
      const node = nodes[item] as ListNode<number>
      const comes = step % 2 === 1
      const result = comes ? list.append(node) : list.remove(node)
      expect(result).toBe(comes ? undefined : expected.includes(item))
      expected = [...expected.filter((other) => other !== item), ...(comes ? [item] : [])]
    }
    expect(list.items()).toEqual(expected)
    expect(list.first?.item).toBe(expected[0])
  }
})

test('a removed node references nothing, so it keeps nothing else in memory', () => {
  const list = new LinkedList<string>()
  const nodes = ['a', 'b', 'c'].map((item) => new ListNode(item))
  for (const node of nodes) list.append(node)
  for (const node of nodes) list.remove(node)
  expect(nodes).toEqual(['a', 'b', 'c'].map((item) => new ListNode(item)))
})

test('a node moves from one list to another', () => {
  const [one, other] = [new LinkedList<string>(), new LinkedList<string>()]
  const node = new ListNode('x')
  one.append(node)
  other.append(node)
  expect(one.items()).toEqual([])
  expect(one.remove(node)).toBe(false)
  expect(other.items()).toEqual(['x'])
})
