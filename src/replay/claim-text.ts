import type { ClaimName } from '../store/claim-contract.ts'

export const claimText = ({ organisationId, keyHash }: ClaimName): string =>
  `${organisationId} ${Buffer.from(keyHash).toString('hex')}`
