const webhookContext = (id: string): string => `webhook ${id}`

/** Which row a sealed secret belongs to, by kind: it cannot be opened for another one. */
export const sealedContexts = {
  totp: (accountId: string): string => accountId,
  upstream: (name: string): string => `upstream ${name}`,
  webhook: webhookContext,
  /** It is moved here when another takes its place. */
  webhook_previous: webhookContext,
  setting: (name: string): string => `setting ${name}`,
  /** Found by a hash that the row itself does not determine. */
  challenge: (): string => 'provider',
}
