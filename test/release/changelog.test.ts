import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../harness/run-program.ts'

const readText = (file: string): string => readFileSync(join(repository, file), 'utf8')
const { version } = JSON.parse(readText('package.json'))
const last = JSON.parse(readText('last-release.json'))
const sections = [...readText('CHANGELOG.md').matchAll(/^## (\S+) \((.+)\)$/gm)].map(([, name, state]) => [name, state])

test('the changelog begins with the version of this program, and says whether it is released', () => {
  const isReleased = !version.endsWith('-dev')
  expect(sections[0]).toEqual([
    version.replace(/-dev$/, ''),
    isReleased ? expect.stringMatching(/^\d{4}-\d\d-\d\d$/) : 'not released yet',
  ])
  expect(sections.slice(1).filter(([, state]) => !/^\d{4}-\d\d-\d\d$/.test(state ?? ''))).toEqual([])
})

test('the last release is in the changelog, and its commit in last-release.json', () => {
  expect(sections.map(([name]) => name)).toContain(last.version)
  expect(last.commit).toMatch(/^[0-9a-f]{40}$/)
})
