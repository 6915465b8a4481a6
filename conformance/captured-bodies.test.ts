/** Requests of agents and SDK helpers as they sent them, to notice a refusal without installing them. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Helix, openHelix } from '../test/harness/start-helix.ts'
import { createConformanceScript } from './scripted-model.ts'

type Captured = { client: string; path: string; headers?: Record<string, string>; body: unknown }

/** Long texts are stored as their length: they are not ours, and only their length matters here. */
const withTexts = (json: string): Captured =>
  JSON.parse(json, (_, value) => {
    const length = typeof value === 'string' ? /^<(\d+) characters>$/.exec(value)?.[1] : undefined
    return length === undefined ? value : 'words '.repeat(Number(length)).slice(0, Number(length))
  })

const captured = globSync(join(import.meta.dirname, 'captured', '*.json')).sort()

describe('a captured request is answered', () => {
  let helix: Helix
  beforeAll(async () => {
    const model = { contextTokens: 131_072 }
    helix = await openHelix({ answer: createConformanceScript(), engine: { model } })
    return helix.close
  })

  test.each(captured.map((path) => [basename(path, '.json'), path]))('%s', async (_, file) => {
    const { path, headers, body } = withTexts(readFileSync(file, 'utf8'))
    const response = await fetch(helix.url + path, {
      method: 'POST',
      headers: { ...helix.authorized, ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(response.status, text).toBe(200)
    expect(text).not.toContain('event: error')
    expect(text).not.toMatch(/"type": ?"error"|response\.failed|data: \{"error"/)
  })
})
