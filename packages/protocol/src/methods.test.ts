import { expect, test } from 'vitest'
import { methods } from './methods.ts'

test('the key of a method is its name in camel case', () => {
  const camelCase = (name: string): string => name.replaceAll(/[/_](.)/g, (_, letter: string) => letter.toUpperCase())
  expect(Object.keys(methods)).toEqual(Object.values(methods).map(camelCase))
})

test('no name occurs twice', () => {
  expect(new Set(Object.values(methods)).size).toBe(Object.keys(methods).length)
})
