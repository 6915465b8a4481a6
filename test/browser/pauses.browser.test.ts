import { expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { readRows } from '../harness/ledger-rows.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { modelName } from '../harness/start-helix.ts'
import { startSite } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

test('the page of a request says how often and for how long its answer was paused, in both languages', async () => {
  const helix = await startSite({
    engine: { slots: 1, canPause: true, model: { contextTokens: 100_000 } },
    config: { reservedSlots: 0 },
    *answer() {
      // Many turns: the second request may arrive late.
      for (let number = 0; number < 5000; number += 1) yield `${number} `
    },
  })
  await claimServer(helix)
  const members = [await signUp(helix.url, 'anna@example.com'), await signUp(helix.url, 'ben@example.com')]
  await Promise.all(
    members.map(async ({ firstKey }) => {
      const headers = { authorization: `Bearer ${firstKey.key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Count' }] })
      expect((await fetch(`${helix.baseUrl}/chat/completions`, { method: 'POST', headers, body })).status).toBe(200)
    }),
  )
  const first = (await readRows(helix)).find(({ settlement }) => settlement?.pauses !== undefined)
  const member = members.find(({ firstKey }) => firstKey.id === first?.keyId)
  for (const [language, text] of [
    ['en', /^Paused \w+( times)? while others had their turn, .+ in total$/],
    ['ja', /^ほかの利用者の順番の間、\d+回一時停止（合計.+）$/],
  ] as const) {
    const { page, context } = await openVisitor(helix.url, { language })
    await takeCookies(context, helix.url, member?.cookies ?? new Map())
    await openPage(page, `/requests/${first?.requestId}`)
    await page.locator('.timing-steps').getByText(text).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  }
})
