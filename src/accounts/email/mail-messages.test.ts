import { expect, test } from 'vitest'
import { writeEmailChanged, writeInvitation, writeMail, writeTestMail } from './mail-messages.ts'

const url = 'https://helix.example.com:8443/reset#token'

test.each(['en', 'ja'] as const)('a mail names its server and has one button (%s)', (language) => {
  const invitation = { organisationName: 'Kitano <Lab>', inviterEmail: 'mio@example.com' }
  for (const { text, html } of [
    writeMail('password_reset', language, url),
    writeInvitation(language, url, invitation),
  ]) {
    expect(text).toContain('Helix (helix.example.com:8443)')
    expect(html).toContain('Helix (helix.example.com:8443)')
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(html).not.toContain('<Lab>')
  }
})

test.each(['en', 'ja'] as const)('a mail without a link has no button, and names its server too (%s)', (language) => {
  const site = 'https://helix.example.com:8443'
  for (const { text, html } of [writeEmailChanged(language, 'mio@example.com', site), writeTestMail(language, site)]) {
    expect(html).not.toContain('<a ')
    expect(html).toContain('Helix (helix.example.com:8443)')
    expect(text).toContain('Helix (helix.example.com:8443)')
  }
})
