import { beforeAll, expect, test } from 'vitest'
import { templateLoops } from '../../scripts/tiny-models/looping-template.ts'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { openTinyEngine } from '../harness/open-tiny-engine.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let engine: EmbeddedEngine
beforeAll(async () => {
  engine = await openTinyEngine('tiny-looping-template')
  await engine.firstLoad
  helix = await openHelix({ startEngine: () => engine })
  return helix.close
})
const ask = (content: string) =>
  helix.chat({ model: engine.model.id, messages: [{ role: 'user', content }], max_tokens: 2 })

test.each(Object.keys(templateLoops))(
  'a template that builds %s fails that request only, and the model goes on answering',
  async (loop) => {
    const pid = engine.pid()
    const looping = ask(loop)
    const other = await ask('Hello')
    expect(other.status).toBe(200)
    const refused = await looping
    expect(refused.status).toBe(400)
    expect((await readError(refused)).message).toMatch(/^The chat template of the model rejected these messages: /)
    expect((await ask('Hello')).status).toBe(200)
    expect(engine.pid()).toBe(pid)
  },
)
