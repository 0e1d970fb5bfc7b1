import { expect, test } from 'vitest'
import { methods } from './methods.ts'

test('a method is found under its own name in camel case', () => {
  const camelCase = (name: string): string => name.replaceAll(/[/_](.)/g, (_, letter: string) => letter.toUpperCase())
  expect(Object.keys(methods)).toEqual(Object.values(methods).map(camelCase))
})

test('no name is written twice', () => {
  expect(new Set(Object.values(methods)).size).toBe(Object.keys(methods).length)
})
