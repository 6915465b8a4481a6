import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer({ config: { organisationRequestsPerMinute: 4, tokensPerMonth: 9000 } })
  owner = await claimServer(helix)
  return helix.close
})

const ask = () =>
  owner.post('/playground/chat/completions', { model: modelName, messages: [{ role: 'user', content: 'Hi' }] })

test('the page follows what is used, without a reload, and says when nothing is left', async () => {
  const { page, context } = await openVisitor(helix.url, { language: 'en' })
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/limits')
  const row = page.getByRole('row').filter({ hasText: 'Requests in any minute' })
  await row.getByText('0 of 4').waitFor()
  await page.getByText('Nothing is near its limit.').waitFor()
  for (let turn = 0; turn < 4; turn += 1) expect((await ask()).status).toBe(200)
  await row.getByText('4 of 4').waitFor()
  await page.getByText('Requests in any minute: nothing is left.').waitFor()
  await row.getByText('server default').waitFor()
  await page.getByRole('row').filter({ hasText: 'Tokens a month' }).last().getByText('24 of 9,000').waitFor()
})
