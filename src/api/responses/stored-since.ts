import { responseRetentionDays } from '../../store/response-contract.ts'

const dayMs = 86_400_000

/** Responses from before this time have expired. */
export const storedSince = (now: number): number => now - responseRetentionDays * dayMs
