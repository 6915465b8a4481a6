/** Requests of agents and SDK helpers as they sent them, to notice a refusal without installing them. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Helix, openHelix } from '../test/harness/start-helix.ts'
import { createConformanceScript } from './scripted-model.ts'

type Captured = { client: string; path: string; headers?: Record<string, string>; body: object }

/** Long texts are stored as their length: they are not ours, and only their length matters here. */
const withTexts = (json: string): Captured =>
  JSON.parse(json, (_, value) => {
    const length = typeof value === 'string' ? /^<(\d+) characters>$/.exec(value)?.[1] : undefined
    return length === undefined ? value : 'words '.repeat(Number(length)).slice(0, Number(length))
  })

const folder = join(import.meta.dirname, 'captured')
const captured = globSync(join(folder, '*.json')).sort()

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

  test('Claude Code is told that nobody checks its tool calls, and continues without asking for it', async () => {
    const { path, headers, body } = withTexts(readFileSync(join(folder, 'claude-code-terminal.json'), 'utf8'))
    const asked = { ...body, safeguards: [{ type: 'dangerous_tool_use', classifier_context: { v: 1 } }] }
    const response = await fetch(helix.url + path, {
      method: 'POST',
      headers: { ...helix.authorized, ...headers },
      body: JSON.stringify(asked),
    })
    expect(response.status).toBe(400)
    // It looks for the name of the field in the message.
    const message = expect.stringMatching(/\bsafeguards\b/)
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error', message } })
  })
})
