import type { Accounts } from '../accounts/accounts.ts'
import { object } from '../http/schema/containers.ts'
import { boolean } from '../http/schema/scalars.ts'
import type { Client } from '../operations/client.ts'
import { link, linkBody, resetTwoFactorBody } from '../platform/contract/server.ts'
import { commandLine } from '../platform/create-actor.ts'
import { post, socket } from './operation.ts'

/** For the server operator, because the owner may also forget a password or lose a second factor. */
export const accountOperations = {
  createLink: post('/links', socket, 'Creates a link that works once.', { body: linkBody, answer: link }),
  resetTwoFactor: post('/accounts/reset-two-factor', socket, 'Turns two-factor authentication off for an account.', {
    body: resetTwoFactorBody,
    answer: object({ twoFactor: boolean }),
  }),
}

export const createAccountControl = (
  accounts: Pick<Accounts, 'links' | 'twoFactor'>,
  siteUrl: () => string,
): Client<typeof accountOperations> => ({
  async createLink({ body: { kind, email } }) {
    const { path, expiresAt } = await accounts.links.createForOwner(kind, email, commandLine)
    return { url: siteUrl() + path, expiresAt }
  },
  async resetTwoFactor({ body: { email } }) {
    await accounts.twoFactor.reset(email, commandLine)
    return { twoFactor: false }
  },
})
