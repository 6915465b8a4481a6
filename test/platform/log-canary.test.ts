import { expect, test } from 'vitest'
import { claimServer, openBrowser, signUp, tokenOf } from '../harness/browser-session.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { startHelix } from '../harness/start-helix.ts'

/** Stands in every place where something private can stand. */
const canary = 'xyzzy'
const person = { email: `${canary}@example.com`, password: `${canary} plum harbour` }

test.each(['json', 'text'] as const)(
  'the log contains no email, password, cookie, token or link (%s)',
  async (logFormat) => {
    const post = await startMailServer()
    const config = { smtpUrl: post.url, mailFrom: `${canary} <helix@example.com>`, trustedProxies: ['loopback'] }
    const helix = await startHelix({ logFormat, config })
    const owner = await claimServer(helix)
    const browser = await openBrowser(helix.url, { 'user-agent': canary, referer: `http://${canary}/` })
    const secrets = new Set([helix.server.claimUrl, owner.firstKey.key, browser.csrfToken()].map(tokenOf))
    const note = (): void => {
      // The hint that somebody is signed in is `1`: no secret, and a digit stands in every line.
      for (const value of browser.cookies.values()) if (value !== '1') secrets.add(value)
      secrets.add(browser.csrfToken())
    }
    const calls: [string, unknown][] = [
      ['/sign-up', person],
      ['/sign-up', person],
      ['/sign-up', { ...person, email: `${canary} ${canary}` }],
      ['/sign-up', { ...person, [canary]: canary }],
      ['/sign-up', { ...person, password: canary }],
      ['/setup', { ...person, token: canary }],
      ['/sign-in', { ...person, password: `wrong ${canary}` }],
      ['/sign-in', { ...person, email: canary }],
      ['/sign-in', person],
      ['/email-verification/request', {}],
      ['/email-verification', { token: canary }],
      ['/password-reset/request', { email: person.email }],
      ['/password-reset', { token: canary, password: canary }],
      ['/account/password', { currentPassword: canary, newPassword: person.password }],
      ['/account/language', { language: canary }],
      ['/keys', { name: canary, expiresAt: null }],
      [`/keys/${canary}/revoke`, { name: canary }],
      [`/account/sessions/${canary}/revoke`, {}],
      ['/playground/chat/completions', { model: canary }],
      ['/playground/draft', { content: `{"system":"${canary}"}` }],
      ['/prompts', { name: canary, isShared: true, content: `{"system":"${canary}"}` }],
      ['/playground/conversations', { title: canary, content: `{"a":"${canary}"}`, searchText: canary }],
      [`/playground/conversations/${canary}/shares`, { content: `{"a":"${canary}"}` }],
      [`/prompts/${canary}`, { name: canary, content: canary }],
      ['/admin/links', { kind: 'invitation', email: person.email }],
      [`/${canary}`, {}],
      ['/account/delete', { password: person.password }],
    ]
    for (const [path, body] of calls) {
      if (path === '/account/delete') expect(await (await browser.get('/requests')).text()).not.toContain(canary)
      await (await browser.post(path, body)).text()
      note()
    }
    await signUp(helix.url, `${canary}2@example.com`)
    await helix.server.close()
    expect(post.mails.length).toBeGreaterThan(2)
    expect(helix.logLines.length).toBeGreaterThan(calls.length)
    for (const line of helix.logLines) {
      expect(line.toLowerCase()).not.toContain(canary)
      expect(line).not.toContain('@')
      for (const secret of secrets) expect(line).not.toContain(secret)
    }
  },
)
