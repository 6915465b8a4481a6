/** Everything the audit can tell, by name: what it was done to, a dot, what was done. The site has words for each. */
export const auditActions = [
  'server.claimed',

  'account.created',
  'account.signed_in',
  'account.sign_in_failed',
  'account.signed_out',
  'account.password_changed',
  'account.password_reset',
  'account.email_verified',
  'account.suspended',
  'account.resumed',
  'account.deleted',
  'session.ended',
  'link.made',

  'organisation.created',
  'organisation.renamed',
  'organisation.handed_over',
  'organisation.limits_changed',
  'organisation.suspended',
  'organisation.resumed',
  'organisation.deleted',

  'member.joined',
  'member.role_changed',
  'member.left',
  'member.removed',
  'invitation.made',
  'invitation.withdrawn',

  'key.created',
  'key.rotated',
  'key.changed',
  'key.revoked',
  'key.suspended',
  'key.resumed',
] as const

export type AuditAction = (typeof auditActions)[number]
