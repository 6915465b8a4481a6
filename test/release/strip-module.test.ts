import { expect, test } from 'vitest'
import { stripModule } from '../../scripts/build/strip-module.ts'

const strip = (text: string, path = 'a/b.ts') =>
  stripModule({ path, text, exists: (file) => ['a/c.ts', 'd.ts'].includes(file) })

test('types become spaces, and references to modules end in .js', () => {
  const built = strip(
    `import { type C, c } from './c.ts'\nexport const file: URL = new URL('../d.ts', import.meta.url)\n`,
  )
  expect(built.path).toBe('a/b.js')
  expect(built.text).toBe(
    `import {         c } from './c.js'\nexport const file      = new URL('../d.js', import.meta.url)\n\n//# sourceMappingURL=b.js.map\n`,
  )
})

test('the source map leads every line to the same line of the source', () => {
  const text = 'const one = 1\nconst two: number = 2\nthrow one'
  expect(JSON.parse(strip(text).map ?? '')).toMatchObject({
    ...{ version: 3, sources: ['b.ts'], sourcesContent: [text], mappings: 'AAAA;AACA;AACA' },
  })
})

test('JavaScript keeps its name and gets no map', () => {
  expect(strip(`await import('./c.ts')`, 'a/launch.mjs')).toEqual({
    ...{ path: 'a/launch.mjs', text: `await import('./c.js')`, map: null },
  })
})

test('a reference to a module that does not exist ends the build', () => {
  expect(() => strip(`import './missing.ts'`)).toThrow('a/b.ts refers to a/missing.ts, which does not exist.')
})

test('other texts that end in .ts stay as they are', () => {
  expect(strip(`const name = 'main.ts'`).text).toContain(`'main.ts'`)
})
