import type { ClaimName } from '../store/claim-contract.ts'

export const nameOf = ({ organisationId, keyHash }: ClaimName): string =>
  `${organisationId} ${Buffer.from(keyHash).toString('hex')}`
